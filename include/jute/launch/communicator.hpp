#pragma once
// What ranks say and send to each other, whoever carries it.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Rows of bytes at equal distances in a rank's own memory.
struct Region {
  DevicePointer base = 0;
  Index rows = 0, row_bytes = 0, pitch_bytes = 0;
  /// A receiver's, in memory that is shared: a word of 4 bytes that becomes other than 0 once
  /// the bytes are there, for kernels that run meanwhile. 0: none.
  DevicePointer flag = 0;
  bool operator==(const Region&) const = default;
};

/// To or from one rank, which may be the own one: the bytes of the regions, one behind the other.
/// Where regions have flags both ranks have as many, each as large as the other's.
struct PeerTransfer {
  Index peer = 0;
  std::vector<Region> regions{};
};
[[nodiscard]] Index byte_count(const PeerTransfer& transfer);

/// The sends and receives of one rank in a step; a peer at most once in each.
struct Exchange {
  std::string step;  ///< its name, the same on all ranks
  std::vector<PeerTransfer> sends{}, receives{};
};

/// The fate of the sums of all ranks' elements.
enum class CollectiveKind : std::uint8_t {
  all_reduce,      ///< each rank has all of them
  reduce_scatter,  ///< rank r the r-th part of as many parts as there are ranks
};
[[nodiscard]] std::string_view name(CollectiveKind kind);
/// Sums that the transport adds in an order of its own.
struct Collective {
  std::string step;  ///< its name, the same on all ranks
  CollectiveKind kind = CollectiveKind::all_reduce;
  DType type = DType::f32;
  Index elements = 0;  ///< that each rank gets
  DevicePointer from = 0, to = 0;
  /// The ranks that add, in the order of their parts; empty: all of them. Who adds among some ranks
  /// for the first time does so with all others, each rank among its own.
  std::vector<Index> members{};
};

/// The fault that ended a run on several ranks.
struct CommunicationFault {
  Index rank = 0;         ///< that says so
  std::string step = {};  ///< where it was
  Index peer = -1;        ///< that it waited for; -1: any of several
  double waited_s = 0;    ///< seconds
  std::string what = {};  ///< in words
  bool operator==(const CommunicationFault&) const = default;
};

/// An Error of code communication_failed: operand the step, value `what` of the fault, detail its
/// rank, step, peer and seconds in words. After it the communicator is of no more use, and a new
/// one works.
class CommunicationFailed : public Exception {
 public:
  explicit CommunicationFailed(CommunicationFault fault);
  [[nodiscard]] const CommunicationFault& fault() const noexcept { return fault_; }

 private:
  CommunicationFault fault_;
};

/// One rank among those that hear of each other. Ranks call the same functions in the same order;
/// no two threads use one end. Whatever a rank waits for longer than the deadline, or from a rank
/// that has failed, is CommunicationFailed on all ranks, from then on.
class Rendezvous {
 public:
  virtual ~Rendezvous() = default;
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  [[nodiscard]] virtual Index rank() const = 0;
  [[nodiscard]] virtual Index size() const = 0;
  /// The text of every rank, by ranks. Waits for all of them.
  [[nodiscard]] virtual std::vector<std::string> gather_texts(std::string_view step,
                                                              const std::string& own) = 0;
  /// throws  CommunicationFailed: some rank has failed
  virtual void poll() = 0;
  /// Lets all ranks fail wherever they wait, and says why.
  virtual void abort(const std::string& reason) noexcept = 0;

 protected:
  Rendezvous() = default;
};

/// As many bytes in the memory of each rank, which kernels of all ranks read and write.
class Window {
 public:
  virtual ~Window() = default;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  /// A rank's bytes as kernels of this rank reach them.
  [[nodiscard]] virtual DevicePointer peer(Index rank) const = 0;
  [[nodiscard]] virtual DevicePointer own() const = 0;
  /// A word of this rank that is 0 until a run has failed. Kernels that wait look at it, and say
  /// there for whom they have waited too long: 1 + the rank.
  [[nodiscard]] virtual DevicePointer fault() const = 0;
  /// How long they wait: nanoseconds; 0: for ever, as somebody else writes the fault in time.
  [[nodiscard]] virtual std::uint64_t limit_ns() const = 0;

 protected:
  Window() = default;
};

/// How often ranks have met in a window, which then has what they show in one of its halves.
struct WindowTurns {
  std::shared_ptr<const Window> window = {};
  Index half_bytes = 0;
  std::uint32_t turn = 0;
  bool is_refused = false;  ///< there are no windows
};

/// Memory of other ranks' to write to while a kernel runs.
struct WindowForRows {
  std::shared_ptr<const Window> window = {};
  Index bytes = 0;
  std::shared_ptr<const int> token = {};  ///< whose words it begins with
  bool is_refused = false;                ///< there are no windows
};

/// A rank that moves bytes too.
class Communicator : public Rendezvous {
 public:
  /// All of it at once, in the stream's order; it may return before the bytes are there.
  virtual void exchange(const Exchange& exchange, Stream stream = {}) = 0;
  /// Sums of all ranks' elements, each addition rounded to their type; as exchange otherwise.
  ///   throws  unsupported: this transport adds nothing
  virtual void reduce(const Collective& collective, Stream stream = {});
  /// Work put into `then` from now on waits for all that is in `first` now.
  virtual void order(Stream first, Stream then) = 0;
  /// Returns when all that is in the stream is done; exchanges have the deadline.
  virtual void finish(Stream stream = {}) = 0;
  /// Where there are windows: keeps in mind all that is in the stream now, in the place of what it
  /// kept before. The stream may be destroyed before anything waits for that.
  virtual void keep(Stream /*stream*/) {}
  /// Work put into the stream from now on waits for what is kept; for nothing at first.
  virtual void follow(Stream /*stream*/) {}
  /// Does exchange raise the flags of regions while kernels that wait for them hold every
  /// multiprocessor?
  [[nodiscard]] virtual bool announces() const { return false; }
  /// Zeros, as long as any rank's end lives; all ranks call it together. Null: kernels do not reach
  /// other ranks' memory here.   throws  out_of_memory, CommunicationFailed
  [[nodiscard]] virtual std::shared_ptr<const Window> share(Index /*bytes*/) { return nullptr; }
  /// The turns that DistributedGemm keeps of its windows.
  [[nodiscard]] WindowTurns& turns() { return turns_; }
  [[nodiscard]] WindowForRows& window_for_rows() { return window_for_rows_; }

 private:
  WindowTurns turns_;
  WindowForRows window_for_rows_;
};

/// Do all ranks say the same?
///   throws  CommunicationFailed: names what differs and the ranks
void require_agreement(Rendezvous& rendezvous, std::string_view what, const std::string& own);

}  // namespace jute

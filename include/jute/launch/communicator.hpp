#pragma once
// What ranks say and send to each other, whoever carries it.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Rows of bytes at equal distances in a rank's own memory.
struct Region {
  DevicePointer base = 0;
  Index rows = 0, row_bytes = 0, pitch_bytes = 0;
  bool operator==(const Region&) const = default;
};

/// To or from one rank, which may be the own one: the bytes of the regions, one behind the other.
struct PeerTransfer {
  Index peer = 0;
  std::vector<Region> regions{};
};
[[nodiscard]] Index byte_count(const PeerTransfer& transfer);

/// What one rank sends and receives in a step; a peer at most once in each.
struct Exchange {
  std::string step;  ///< its name, the same on all ranks
  std::vector<PeerTransfer> sends{}, receives{};
};

/// One rank's end. Ranks call the same functions in the same order; no two threads use one end.
/// Whatever a rank waits for longer than the deadline, or from a rank that has failed, is
///   launch_failed: operand the step, value who waited for whom and how long
/// on all ranks, from then on.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] virtual Index rank() const = 0;
  [[nodiscard]] virtual Index size() const = 0;
  /// The text of every rank, by ranks. Waits for all of them.
  [[nodiscard]] virtual std::vector<std::string> gather_texts(std::string_view step,
                                                              const std::string& own) = 0;
  /// All of it at once, in the stream's order.
  virtual void exchange(const Exchange& exchange, Stream stream = {}) = 0;
  /// throws  launch_failed: some rank has failed
  virtual void poll() = 0;
  /// Lets all ranks fail wherever they wait, and says why.
  virtual void abort(const std::string& reason) noexcept = 0;

 protected:
  Communicator() = default;
};

/// Do all ranks say the same?
///   throws  launch_failed: names what differs and the ranks
void require_agreement(Communicator& communicator, std::string_view what, const std::string& own);

}  // namespace jute

#pragma once
// Finds accesses of one place that nothing orders: happens-before by vector clocks over warps and
// over what works behind their backs.
#include "emulator/clocks.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace jute::emulator {

struct Block;
struct MemoryAccess;
struct MbarrierHistory;
struct Resolved;
struct Warp;
class BulkCopy;
enum class AccessKind : std::uint8_t;

/// Who touches memory. A block has an actor for each thread, one of each further role for each
/// warp, and one for each mbarrier: a bulk load's writes are known to whoever has waited for the
/// phase that they complete.
enum class Role : std::uint8_t {
  thread,
  copy,          ///< cp.async of the warp; its moments are the warp's groups
  product,       ///< wgmma of the warp; moments: the products
  store_source,  ///< bulk stores of the warp, as they read; moments: groups
  store_target,  ///< bulk stores of the warp, as they write
  mbarrier,      ///< bulk loads that complete on it; moments: its phases
};

/// Who touched a word last, and when by the actor's own clock.
struct Touch {
  std::int32_t block = -1;     ///< the actor's, linear; -1: nobody
  std::int32_t by_block = -1;  ///< of the thread that did it or started it
  std::uint32_t moment = 0;
  std::int32_t origin = -1;
  std::uint16_t actor = 0;
  std::uint16_t thread = 0;
  Role role = Role::thread;
  std::uint8_t bytes = 0;  ///< which of the word's four
  bool is_strong = false;
};
struct WordHistory {
  Touch write;
  Touch read;
  std::vector<Touch> more_reads;  ///< of other actors, which nothing orders among each other
};

/// What the blocks of a launch, which run on one thread, share.
struct GlobalHistory {
  static constexpr std::uintptr_t kPageBytes = 4096;
  using Page = std::vector<WordHistory>;
  std::unordered_map<std::uintptr_t, Page> pages;
  /// What a block's ordered accesses have left at a place of memory for those who look there.
  struct Publication {
    std::int32_t block = 0;
    Clocks proxied;
    std::array<Clocks, kScopes> known;  ///< by how far the reader is
  };
  std::unordered_map<std::uintptr_t, std::vector<Publication>> publications;
};

class RaceDetector {
 public:
  RaceDetector(Block& block, GlobalHistory& global) : block_(&block), global_(&global) {}

  void start(size_t warps, size_t shared_bytes);

  /// Lanes of `where.ok` touch `bytes` each. Two strong accesses (atomic, volatile, ordered) of one
  /// place never race.
  void access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind, bool is_strong);
  /// The shared bytes that a bulk copy takes and the words of its mbarrier, as it is issued.
  void bulk_copy(const Warp& warp, const BulkCopy& copy);
  /// The product that the warp issues reads this word of shared memory.
  void product_reads(const Warp& warp, int lane, std::uint64_t offset);

  /// Lanes of a warp meet: bar.warp.sync, shfl and their like.
  void converge(const Warp& warp);
  /// Lanes of a warp leave what they know for others …
  void leave(const Warp& warp, std::uint32_t lanes, Knowledge& there);
  /// … that is, what relaxed arrivals leave: what fences lie behind, and what wgmma has read.
  void leave_relaxed(const Warp& warp, Knowledge& there, Scope scope);
  /// … and learns what others left.
  void learn(const Warp& warp, const Knowledge& there);
  /// The phases of an mbarrier of this block that are over lie behind the warp.
  void learn_phase(const Warp& warp, std::uint64_t offset, const MbarrierHistory& history);
  /// Moments of the warp's copies, products or stores up to this one lie behind it.
  void retire(const Warp& warp, Role role, std::int64_t moment);
  /// What the copies of `warp` up to this group wrote is left with an arrival.
  void leave_copies(const Warp& warp, Knowledge& there, std::int64_t moment) const;

  /// Ordered accesses and atomics: before the memory changes, and after it was read.
  void publish(const Warp& warp, const MemoryAccess& access, const Resolved& where, bool replaces);
  void observe(const Warp& warp, const MemoryAccess& access, const Resolved& where);
  void fence(const Warp& warp, std::uint32_t lanes, Scope scope);
  void proxy_fence(const Warp& warp, std::uint32_t lanes);

 private:
  struct WarpState {
    Knowledge mine;
    std::array<Clocks, kScopes> observed;  ///< by relaxed reads, until a fence of this scope
    Clocks observed_proxied;
    std::uint32_t moment = 1;  ///< of its lanes; what they do between two meetings only they know
  };
  [[nodiscard]] WarpState& state_of(const Warp& warp);
  [[nodiscard]] std::int32_t linear() const;
  /// `index`: a thread's number in the block, otherwise a warp's or an mbarrier's.
  [[nodiscard]] std::uint16_t actor_of(Role role, size_t index) const;
  /// The lanes' own past up to now.
  void add_past(const Warp& warp, std::uint32_t lanes, Clocks& clocks);
  [[nodiscard]] Touch touch_of(const Warp& warp, int lane, Role role);
  /// Touches `bytes` from a host address on, of the shared memory of `owner` or of global memory.
  void touch_range(const Warp& warp, Touch now, bool writes, Block* owner, std::uintptr_t at,
                   std::uintptr_t end);
  void touch(const Warp& warp, const Touch& now, bool writes, WordHistory& word, bool is_shared);
  [[nodiscard]] bool is_ordered(const Touch& before, const Warp& warp, const Touch& now);
  [[nodiscard]] bool is_proxied(const Touch& before, const Warp& warp);
  void report(const Touch& before, const Warp& warp, const Touch& now, const char* code,
              std::string text);
  [[nodiscard]] Block* shared_owner(const std::byte* data) const;
  [[nodiscard]] Scope distance_to(std::int32_t block) const;
  [[nodiscard]] std::uint16_t mbarrier_actor(std::uint64_t offset);

  Block* block_;
  GlobalHistory* global_;
  std::vector<WarpState> warps_;
  std::vector<WordHistory> shared_;                             ///< by word
  std::unordered_map<std::uint64_t, std::uint16_t> mbarriers_;  ///< their actors
};

}  // namespace jute::emulator

#pragma once
// Finds accesses of one place that nothing orders: happens-before by vector clocks over warps and
// over what works behind their backs.
#include "emulator/check/access_history.hpp"
#include "emulator/check/clocks.hpp"
#include "emulator/check/global_history.hpp"
#include "emulator/decode/instruction.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace jute::emulator {

struct Block;
struct MemoryAccess;
struct MbarrierHistory;
struct Resolved;
struct OperandSource;
struct Warp;
class BulkCopy;
enum class AccessKind : std::uint8_t;

class RaceDetector {
 public:
  RaceDetector(Block& block, GlobalHistory& global) : block_(&block), global_(&global) {}

  void start(size_t warps, size_t shared_bytes);

  /// Lanes of `where.ok` touch `bytes` each. Two strong accesses (atomic, volatile, ordered) of one
  /// place do not race if the scopes of both reach the other.
  /// Of stores, lanes of `repeats` leave the bytes as they were: other writes do not matter to
  /// them.
  void access(const Warp& warp, const Resolved& where, int bytes, AccessKind kind,
              const MemoryAccess& access, std::uint32_t repeats = 0);
  /// The shared bytes that a bulk copy takes and the words of its mbarrier, as it is issued.
  void bulk_copy(const Warp& warp, const BulkCopy& copy);
  /// A bulk copy takes its tensor map from this place in global memory.
  void read_map(const Warp& warp, int lane, const std::byte* map, size_t bytes);
  /// The product that the warp issues reads this operand in shared memory.
  void product_reads(const Warp& warp, int lane, const OperandSource& source);

  /// Lanes of a warp meet: bar.warp.sync, shfl and their like.
  void converge(const Warp& warp);
  /// Lanes of a warp leave what they know for others …
  void leave(const Warp& warp, std::uint32_t lanes, Knowledge& there);
  /// … or, where the release does not reach far enough, only that they have read …
  void leave_reads(const Warp& warp, std::uint32_t lanes, Knowledge& there, Scope scope);
  /// … or, where it is relaxed, only what engines have finished. What a fence of the scope lies
  /// behind they leave in any case.
  void leave_relaxed(const Warp& warp, Knowledge& there, Scope scope);
  /// … and learns what others left.
  void learn(const Warp& warp, const Knowledge& there);
  /// The phases of an mbarrier of this block that are over lie behind the warp; what other blocks
  /// have stored, only if the wait's scope reaches them.
  void learn_phase(const Warp& warp, std::uint64_t offset, const MbarrierHistory& history,
                   Scope scope);
  /// Moments of copies, products or stores of warp `by` of the block, up to this one, lie behind
  /// `warp`.
  void retire(const Warp& warp, int by, Agent agent, std::int64_t moment);
  /// Leaves what the copies of `warp` up to this group wrote with an arrival.
  void leave_copies(const Warp& warp, Knowledge& there, std::int64_t moment) const;

  /// Ordered accesses and atomics: before the memory changes, and after it was read.
  void publish(const Warp& warp, const MemoryAccess& access, const Resolved& where, bool replaces);
  /// Lanes that have learned something of another block, not of their cluster, are returned.
  std::uint32_t observe(const Warp& warp, const MemoryAccess& access, const Resolved& where);
  void fence(const Warp& warp, std::uint32_t lanes, Scope scope);
  void proxy_fence(const Warp& warp, std::uint32_t lanes, ProxySpace space);
  /// Tensor maps that the fence's releasing half has shown may be used.
  void acquire_maps(const Warp& warp);
  /// griddepcontrol.wait and .launch_dependents.
  void wait_for_grids(const Warp& warp);
  void release_dependents(const Warp& warp);
  /// The block ends: nobody may still reach into its shared memory.
  void check_end();

 private:
  struct WarpState {
    Knowledge mine;
    std::array<Clocks, kScopes> observed;  ///< by relaxed reads, until a fence of this scope
    ProxyClocks observed_proxied;
    std::uint32_t moment = 1;  ///< of its lanes; what they do between two meetings only they know
  };
  [[nodiscard]] WarpState& state_of(const Warp& warp);
  [[nodiscard]] std::int32_t linear() const;
  /// `index`: a thread's number in the block, otherwise a warp's or an mbarrier's.
  [[nodiscard]] std::uint16_t actor_of(Agent agent, size_t index) const;
  /// The lanes' own past up to now.
  void add_past(const Warp& warp, std::uint32_t lanes, Clocks& clocks);
  [[nodiscard]] Touch touch_of(const Warp& warp, int lane, Agent agent);
  /// Touches `bytes` from a host address on, of the shared memory of `owner` or of global memory.
  void touch_range(const Warp& warp, Touch now, bool writes, Block* owner, std::uintptr_t at,
                   std::uintptr_t end, ProxySpace space = kGlobalSpace);
  [[nodiscard]] ChunkHistory& chunk_at(Block* owner, std::uintptr_t at);
  template <class Visit>
  void each_chunk(Block* owner, std::uintptr_t at, std::uintptr_t end, Visit visit);
  /// Whose shared memory a lane touches, null for global memory, and where in it.
  struct Place {
    Block* owner = nullptr;
    std::uintptr_t at = 0;
  };
  using Places = std::array<Place, kWarpLanes>;
  [[nodiscard]] std::uint32_t find_places(const Warp& warp, const Resolved& where,
                                          Places& places) const;
  /// Lanes that touch bytes of one chunk together, as Touch::each has it; none: one goes alone.
  struct Together {
    std::uint32_t lanes = 0;
    std::uint16_t bytes = 0;
    std::uint8_t each = 0;
  };
  [[nodiscard]] static Together beside(int lane, const Places& places, std::uint32_t lanes,
                                       int bytes, const std::uint32_t* repeats);
  [[nodiscard]] bool touch_together(const Warp& warp, Touch now, bool writes, const Place& place,
                                    const Together& with);
  /// The lanes from this one on that touch a whole line of global memory together, which is then
  /// remembered, unless there is something to be said; none: they do not.
  [[nodiscard]] std::uint32_t touch_line(const Warp& warp, Touch now, bool writes, int lane,
                                         const Places& places, std::uint32_t lanes, int bytes,
                                         std::uint32_t repeats);
  [[nodiscard]] bool is_clear(const Warp& warp, const Places& places, std::uint32_t lanes,
                              int bytes, bool writes);
  void touch(const Warp& warp, const Touch& now, bool writes, ChunkHistory& chunk,
             ProxySpace space);
  /// Replaces what of the chunk's past no longer counts.
  void remember(const Warp& warp, const Touch& now, bool writes, ChunkHistory& chunk);
  /// Does `before` lie behind what the warp does now? `reads`: it has only read.
  [[nodiscard]] bool is_ordered(const Touch& before, bool reads, const Warp& warp, const Touch& now,
                                bool writes);
  /// Has a strong load, behind which lies what the warp does now, seen this write of the chunk?
  [[nodiscard]] bool is_observed(const Touch& write, const Warp& warp, const Touch& now,
                                 bool writes, const ChunkHistory& chunk);
  [[nodiscard]] bool is_behind(const Touch& before, bool reads, const WarpState& state,
                               bool writes) const;
  [[nodiscard]] bool are_behind(const LineHistory::Row& before, bool reads, const WarpState& state,
                                bool writes) const;
  /// The same of all threads of `before` that touched some of these bytes.
  [[nodiscard]] bool are_behind(const Touch& before, std::uint16_t bytes, bool reads,
                                const WarpState& state, bool writes) const;
  [[nodiscard]] bool is_proxied(const Touch& before, const Warp& warp, ProxySpace space);
  /// Do the scopes of two strong accesses reach each other?
  [[nodiscard]] bool are_atomic(const Touch& a, const Touch& b) const;
  void name(const Touch& before, const Warp& warp, const Touch& now, bool writes, ProxySpace space);
  void name_proxy(const Touch& before, const Warp& warp, const Touch& now, ProxySpace space);
  void report(const Touch& before, const Warp& warp, const Touch& now, const char* code,
              std::string text);
  /// Launches before this one may still touch the bytes in global memory.
  void check_earlier(const Warp& warp, const Touch& now, bool writes, std::uintptr_t at);
  [[nodiscard]] bool lies_behind_grids(const Warp& warp);
  [[nodiscard]] Block* shared_owner(const std::byte* data) const;
  [[nodiscard]] Scope distance_to(std::int32_t block) const;
  [[nodiscard]] std::uint16_t mbarrier_actor(std::uint64_t offset);

  struct LearnedPhase {
    int warp = -1;
    std::uint64_t barrier = 0;
    std::uint32_t turns = 0;
    Scope scope = Scope::cta;
    bool operator==(const LearnedPhase&) const = default;
  };

  Block* block_;
  GlobalHistory* global_;
  LearnedPhase last_learned_;
  std::vector<WarpState> warps_;
  std::vector<ChunkHistory> shared_;
  bool is_generic_ = false;  ///< what touches memory now does so as threads do, whoever it is
  Touch settled_;            ///< a write that the present access is known to follow
  std::unordered_map<std::uint64_t, std::uint16_t> mbarriers_;  ///< their actors
};

}  // namespace jute::emulator

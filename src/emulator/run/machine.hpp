#pragma once
// The running state of a launch: blocks, warps and what lanes wait for.
#include "emulator/async/async_queue.hpp"
#include "emulator/async/mbarrier.hpp"
#include "emulator/check/diagnostics.hpp"
#include "emulator/check/leading_offsets.hpp"
#include "emulator/check/race_detector.hpp"
#include "emulator/check/register_watch.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/run/global_memory.hpp"
#include "emulator/tensor/product_operand.hpp"
#include "emulator/tensor/warp_operand.hpp"
#include "emulator/tensor/warpgroup.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/launch_spec.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace jute::emulator {

class InstructionCounter;
class TextureObjects;
struct Block;
struct Cluster;

/// What is known of a byte of memory; bit 0: it may be read.
inline constexpr std::byte kNeverWritten{0};
inline constexpr std::byte kWritten{1};
inline constexpr std::byte kOnItsWay{2};  ///< an asynchronous copy is still writing it

/// What does not change during one launch.
struct LaunchContext {
  const Program& program;
  const LaunchSpec& spec;
  GlobalMemory& memory;
  const EmulatorOptions& options;
  const DeviceInfo& device;
  std::span<const std::byte> parameters;
  std::uint64_t grid_id = 0;
  DevicePointer grid_workspace = 0;  ///< of a cooperative launch that asks for it
  /// Launches that this one overlaps; only where races are looked for.
  const std::vector<EarlierGrid>* earlier = nullptr;
  InstructionCounter* counter = nullptr;  ///< only where a profile is asked for
  const TextureObjects* textures = nullptr;
};

enum class Wait : std::uint8_t {
  none,
  convergence,  ///< for other lanes of the warp to arrive at the same instruction
  barrier,      ///< for other warps
  cluster,      ///< for other blocks of the cluster
};

/// Where a function goes back to, and the call whose results it hands over.
struct Return {
  std::uint32_t pc = 0;
  std::uint32_t call = 0;
  std::uint32_t begin = 0;  ///< of the function that runs
  bool operator==(const Return&) const = default;
};

/// What a thread waits for at an mbarrier.
struct AwaitedPhase {
  std::uint64_t barrier = 0;  ///< its offset in shared memory
  int parity = 0;
  bool operator==(const AwaitedPhase&) const = default;
};

/// What an instruction that polls has seen.
struct Poll {
  const Instruction* at = nullptr;
  std::uint64_t seen = 0;
  std::uint64_t effects = 0;  ///< that its warp had until then
  AwaitedPhase phase;         ///< of an mbarrier
  bool operator==(const Poll&) const = default;
};

/// Lanes of a warp that are at one instruction together.
struct LaneGroup {
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
  Wait wait = Wait::none;
  bool forced = false;  ///< goes on without the lanes it waits for
  std::uint32_t loops = 0, fatigue = 0;
  int barrier = -1;
  Poll poll;           ///< its last
  bool rests = false;  ///< it polls in vain, and lets others go on
  std::vector<Return> returns;
};

/// What a setmaxnreg asks for.
struct RegisterLimit {
  int registers = 0;
  const Instruction* at = nullptr;
};

struct Warp : LaneState {
  Block* block = nullptr;
  int index = 0;
  std::uint32_t present = 0;  ///< lanes that the block's size gives it
  std::uint32_t live = 0;     ///< lanes that have not exited
  std::vector<LaneGroup> groups;
  std::vector<std::byte> registers;
  std::vector<std::byte> local;                   ///< lane by lane
  std::vector<std::byte> local_defined;           ///< empty when not tracked
  std::array<std::uint32_t, kWarpLanes> stack{};  ///< bytes that alloca has given each lane
  std::uint32_t cluster_phase = 0;                ///< in which it arrived at the cluster's barrier
  AsyncQueue async;
  RegisterWatch watch;
  const Instruction* current = nullptr;
  std::vector<RegisterLimit> limits;  ///< that setmaxnreg asked for, in turn
  bool found_nothing_new = false;     ///< set by a polling instruction
  bool yields = false;                ///< its turn ends: others react to what it did
  std::uint64_t effects = 0;          ///< of its own, that those who poll may see
  size_t running = 0;                 ///< place of the group that runs

  [[nodiscard]] bool is_done() const { return live == 0; }
};

/// One of the sixteen named barriers of a block.
struct Barrier {
  int arrived = 0;
  int expected = 0;  ///< threads; 0 while nobody waits, -1: every live thread
  int any = 0, all = 1, count = 0;
  Knowledge carried;  ///< from those who have arrived; only where races are looked for
};

/// What a block's warps did in their turns: something; only looked again at what they had seen; all
/// wait for each other; ended.
enum class Progress : std::uint8_t { moved, polled, blocked, finished };

/// A thread block. Reused for one block after another by its worker.
struct Block {
  Block(const LaunchContext& launch, Diagnostics& findings, GlobalHistory& history,
        std::uint64_t seed);
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  /// Prepares the block with this linear index for its first instruction.
  void start(std::int64_t linear);
  /// Gives every warp a turn.
  Progress step();
  /// An acquiring load has seen what another block of the grid has left.
  void check_release(const Warp& warp, int lane);
  /// Lets one group that waits for lanes go on without them; false if there is none.
  bool force_convergence();
  [[nodiscard]] bool is_finished() const { return finished; }
  [[nodiscard]] MbarrierState mbarrier_at(std::uint64_t offset) const;

  [[nodiscard]] Actor actor(const Warp& warp, int lane) const;
  /// A thread of any block of the grid.
  [[nodiscard]] Actor actor_of(std::int64_t linear_block, int thread, std::int32_t origin) const;
  /// Reports `code` for the current instruction of `lane`; `message` is called for the first only.
  template <class Message>
  void find(const char* code, const Warp& warp, int lane, Message&& message) {
    find(code, actor(warp, lane), std::forward<Message>(message));
  }
  /// The same for what a thread started a while ago.
  template <class Message>
  void find(const char* code, const Actor& who, Message&& message) {
    if (findings.count(code, who)) findings.describe(code, who, message());
  }

  const LaunchContext& launch;
  const Program& program;
  Diagnostics& findings;
  bool tracks_defined;
  Cluster* cluster = nullptr;
  int rank = 0;  ///< in its cluster
  std::int64_t linear = 0;
  std::array<std::int64_t, 3> position{0, 0, 0};
  int threads = 0;
  int live_threads = 0;
  bool finished = false;
  bool aborted = false;
  bool overran = false;  ///< aborted: it has executed more than it may
  Index clock = 0;
  Index executed = 0;  ///< warp instructions since its start
  std::vector<Warp> warps;
  std::vector<std::byte> shared;
  std::vector<std::byte> shared_defined;
  std::array<Barrier, 16> barriers;
  bool has_waited_for_grids = false;                   ///< griddepcontrol.wait
  std::optional<Actor> released_at;                    ///< griddepcontrol.launch_dependents
  std::map<std::uint64_t, MbarrierHistory> mbarriers;  ///< by offset in shared memory
  WarpgroupIssues warpgroups;
  OperandCache operands;
  WarpOperandCache warp_operands;
  const Allocation* last_allocation = nullptr;
  std::unique_ptr<RaceDetector> races;  ///< only where races are looked for
  std::mt19937_64 random;

 private:
  void start_warp(Warp& warp);
  void finish();
  void check_mbarriers();
  void check_register_limits();
  void check_group_limits(std::span<Warp> group);
  void check_grid_control();
  void report_endless();
  void fill_presets(Warp& warp);
};

/// The blocks of one cluster, which run together; a launch without clusters has one block in each.
struct Cluster {
  std::vector<std::unique_ptr<Block>> blocks;
  int arrived = 0;
  std::uint32_t phase = 0;
  Knowledge arriving, completed;  ///< what its barrier carries, in this phase and of the last
  std::uint64_t serial = 0;       ///< of the last asynchronous work that was started
  LeadingOffsets leading_offsets;

  void start(std::int64_t linear);
  [[nodiscard]] bool is_finished() const;
};
/// Whose shared memory the address lies in: the block's own or a neighbour's; null if no block of
/// the cluster has such a rank.
[[nodiscard]] inline Block* peer_at(Block& block, std::uint64_t shared_address) {
  const std::uint64_t rank = shared_address >> kSharedRankShift;
  if (rank == static_cast<std::uint64_t>(block.rank)) return &block;
  const auto& blocks = block.cluster->blocks;
  return rank < blocks.size() ? blocks[rank].get() : nullptr;
}
/// The linear index of a cluster's block in the grid.
[[nodiscard]] std::int64_t block_of_cluster(const LaunchSpec& spec, std::int64_t cluster,
                                            std::int64_t rank);

// cluster.cpp
/// A warp goes on behind the cluster's barrier.
void leave_cluster_barrier(Warp& warp);
/// Opens the cluster's barrier if the threads that are left have all arrived.
void recheck_cluster(Block& block);
void run_cluster_arrive(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_map_address(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_get_rank(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// tma.cpp, wgmma.cpp
void run_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_async_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wait_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wgmma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_fence_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Have the warps of the warpgroup issued all that a wait of this one asks for?
[[nodiscard]] bool are_products_issued(const Warp& warp, const Instruction& instruction);
void run_wait_products(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// interpreter.cpp
/// Runs a warp until it waits, ends, or has used up its turn; true if it executed anything.
bool run_warp(Warp& warp);
/// A random schedule may end the warp's turn here.
void maybe_yield(Warp& warp);

// barrier.cpp
/// A barrier instruction's operands. Index: Instruction::extra into Program::barriers.
void arrive_at_barrier(Warp& warp, LaneGroup& group, const Instruction& instruction,
                       std::uint32_t mask);
/// Opens barriers whose last missing threads have exited.
void recheck_barriers(Block& block);

// memory_access.cpp
enum class AccessKind : std::uint8_t {
  load,
  store,
  store_by_value,  ///< a store whose caller tells the race detector what it changes
  atomic,
  copy,
};
/// Where each lane's bytes lie in host memory. Lanes that must not touch memory point at poison
/// (loads) or at bytes that nobody reads (stores), so that loops need no test.
struct Resolved {
  std::uint32_t ok = 0;
  std::uint32_t global = 0;  ///< of them, lanes that point into global memory
  bool tracks_defined = false;
  std::array<std::byte*, kWarpLanes> data;
  std::array<std::byte*, kWarpLanes> defined;
};
void resolve(Warp& warp, const MemoryAccess& access, int bytes, std::uint32_t mask, AccessKind kind,
             Resolved& result);
struct AccessSize {
  int bytes = 0;
  int alignment = 0;
};
/// The same for accesses whose alignment is not their size.
void resolve_aligned(Warp& warp, const MemoryAccess& access, const AccessSize& size,
                     std::uint32_t mask, AccessKind kind, Resolved& result);
using Addresses = std::array<std::uint64_t, kWarpLanes>;
/// The addresses of an access's lanes …
void gather_addresses(const Warp& warp, const MemoryAccess& access, Addresses& addresses);
/// … and an access to others, of which `access` says all but where they lie.
void resolve_at(Warp& warp, const MemoryAccess& access, const Addresses& addresses,
                const AccessSize& size, std::uint32_t mask, AccessKind kind, Resolved& result);
/// "shared"
[[nodiscard]] const char* space_name(Space space);
/// Was every byte written that lanes touch?
[[nodiscard]] bool is_all_written(const Resolved& where, int bytes);
/// Reports bytes that were never written or are on their way, where an instruction uses them …
void check_defined(Warp& warp, const MemoryAccess& access, int bytes, const Resolved& where);
/// … or of lanes that only load them: these are returned, for the value that `needed` bytes from
/// `first` on make.
struct LoadedPart {
  int first = 0;
  int bytes = 0;
  std::uint32_t needed = 0xFFFF;  ///< one bit a byte, from the access's first
};
[[nodiscard]] std::uint32_t undefined_lanes(Warp& warp, const Resolved& where,
                                            const LoadedPart& part);
/// Bytes of the part that some of these lanes found never written, from its first on.
[[nodiscard]] LaneBytes undefined_bytes(const Resolved& where, const LoadedPart& part,
                                        std::uint32_t lanes);
/// "load of 4 bytes of shared memory whose byte 0 was never written"
[[nodiscard]] std::string describe_undefined(const MemoryAccess& access, int bytes);
/// Marks bytes as written.
void set_defined(int bytes, const Resolved& where);
void load_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void store_memory(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Remembers what a polling instruction saw: nothing new lets other warps run.
void note_poll(Warp& warp, const Instruction& instruction, std::uint64_t seen);

// async_copy.cpp
void run_async_copy(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_commit_copies(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_wait_copies(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// mbarrier.cpp
void run_mbarrier(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Changes the mbarrier at `offset` of the owner's shared memory; `finder` reports what is wrong
/// with it to `who`.
void change_mbarrier(Block& owner, std::uint64_t offset, const MbarrierChange& change,
                     Block& finder, const Actor& who);
/// Bytes of a bulk load have landed.
void credit_mbarrier(const BulkCopy& copy, Index bytes);

// atomics.cpp
void run_atomic(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
[[nodiscard]] int atomic_bytes(AtomicUse::Type type);
/// What a bulk reduction makes of an element: it keeps subnormals.
[[nodiscard]] std::uint64_t reduced_value(AtomicUse::Operation operation, AtomicUse::Type type,
                                          std::uint64_t old, std::uint64_t operand);

// system_calls.cpp
[[nodiscard]] std::string describe_trap(const LaunchContext& launch);
void run_system_call(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// stack.cpp
void run_alloca(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_stack_save(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_stack_restore(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// collectives.cpp: lanes look at each other's registers.
void run_shuffle(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_vote(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_ballot(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_match(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_reduce(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_video(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_active_mask(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_elect(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_set_registers(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_nothing(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
/// Instruction::extra of a proxy fence: what it covers.
inline constexpr std::uint32_t kAllMemory = 0, kOnlyGlobal = 1, kOnlyBlock = 2, kOnlyCluster = 3;
void run_proxy_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_map_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_meet(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_init_fence(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_grid_control(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_clock(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);
void run_yield(LaneState& lanes, const Instruction& instruction, std::uint32_t mask);

// launch.cpp
/// Runs a whole grid; findings and counters go to `report`. Returns what it touched in global
/// memory, where races are looked for.
GlobalHistory run_grid(const LaunchContext& launch, Diagnostics& report);

}  // namespace jute::emulator

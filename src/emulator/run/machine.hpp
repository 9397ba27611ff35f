#pragma once
// The running state of a launch: blocks, warps and what lanes wait for.
#include "emulator/async/async_queue.hpp"
#include "emulator/async/mbarrier.hpp"
#include "emulator/check/diagnostics.hpp"
#include "emulator/check/leading_offsets.hpp"
#include "emulator/check/race_detector.hpp"
#include "emulator/check/register_watch.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/run/barriers.hpp"
#include "emulator/run/global_memory.hpp"
#include "emulator/tensor/product_operand.hpp"
#include "emulator/tensor/warp_operand.hpp"
#include "emulator/tensor/warpgroup.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/launch_spec.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <vector>

namespace jute::emulator {

class InstructionCounter;
class RankWatch;
class TextureObjects;
struct Block;
struct Cluster;

/// Everything that does not change during one launch.
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
  RankWatch* ranks = nullptr;  ///< only where memory is shared with other ranks
  const std::function<bool(double)>* keeps_waiting = nullptr;
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

/// The phase that a thread waits for at an mbarrier.
struct AwaitedPhase {
  std::uint64_t barrier = 0;  ///< its offset in shared memory
  int parity = 0;
  bool operator==(const AwaitedPhase&) const = default;
};

/// The value that an instruction that polls has seen.
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

/// The count that a setmaxnreg asks for.
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

/// Progress of a block's warps in their turns: some; only looked again at what they had seen; all
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

// interpreter.cpp
/// Runs a warp until it waits, ends, or has used up its turn; true if it executed anything.
bool run_warp(Warp& warp);
/// A random schedule may end the warp's turn here.
void maybe_yield(Warp& warp);

// memory_access.cpp
/// Remembers what a polling instruction saw: nothing new lets other warps run.
void note_poll(Warp& warp, const Instruction& instruction, std::uint64_t seen);

// system_calls.cpp
[[nodiscard]] std::string describe_trap(const LaunchContext& launch);

// launch.cpp
/// Runs a whole grid; findings and counters go to `report`. Returns what it touched in global
/// memory, where races are looked for.
GlobalHistory run_grid(const LaunchContext& launch, Diagnostics& report);

}  // namespace jute::emulator

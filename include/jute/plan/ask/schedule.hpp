#pragma once
// Who in a block does what, and when.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// The frame that a kernel's work is told in.
enum class MainLoop : std::uint8_t {
  straight,          ///< fragments come from global memory; warps may share out K
  register_staged,   ///< every thread loads a k-tile ahead, stores it, multiplies
  multistage,        ///< the same with several k-tiles on their way (cp.async)
  warp_specialised,  ///< a producer keeps stages filled, consumers multiply and drain
};

/// How one operand's tile travels from global memory to shared memory, or past it.
enum class Transfer : std::uint8_t {
  straight,   ///< every thread loads its own fragments; no shared memory
  registers,  ///< loaded into registers, stored a k-tile later
  cp_async,   ///< cp.async, several stages in flight (sm_80)
  tma,        ///< boxes of a tensor map, by one thread (sm_90)
};

/// Warps that do one job.
struct Role {
  std::string name;   ///< worker; producer, consumer
  int warps = 0;      ///< together those of all roles make the block
  int registers = 0;  ///< that each thread holds by setmaxnreg; 0: what launch bounds leave
  bool operator==(const Role&) const = default;
};

/// Who asks for the first k-tiles.
enum class FirstStages : std::uint8_t {
  after_barrier,   ///< the producer, once the block has seen the barriers; straight: every thread
  by_initialiser,  ///< the thread that initialises the barriers, before that
  prefetched,  ///< by the initialiser, of the L2 cache, which has fetched them beside the kernel
               ///< ahead; straight: every thread
};

/// The content of stages in rows past the edge of A and B.
enum class EdgeRows : std::uint8_t {
  zeros,     ///< that TMA writes
  left_out,  ///< whatever was there, where it reaches nothing that is stored
};

/// When a step lets the one behind it begin (programmatic dependent launch).
enum class Release : std::uint8_t {
  never,            ///< when it has ended
  after_main_loop,  ///< when every block has issued its last product
  at_start,
  after_previous,  ///< when what ran before it has ended: what begins then may read all of that
};

/// The kernels that run ahead of a product and behind it, on the same stream.
enum class Launches : std::uint8_t {
  behind_others,  ///< kernels without a pause: each may begin beside the end of the one ahead
  alone,  ///< nothing: the chip is idle when it begins, and nobody waits for its end to begin
};

/// Blocks of a cluster along M and N of the grid of tiles. Those along M share B, those along N A.
struct ClusterShape {
  int m = 1, n = 1;
  bool operator==(const ClusterShape&) const = default;
};
inline constexpr int kMostClusterBlocks = 8;  ///< that every chip has room for
[[nodiscard]] constexpr Index blocks(const ClusterShape& cluster) {
  return Index{cluster.m} * cluster.n;
}

/// How the sums of a tile's slices of K become D.
enum class SplitK : std::uint8_t {
  last_adds,    ///< the block that counts last adds all of them; nobody waits
  all_add,      ///< blocks wait for each other, and each adds a part of the tile: all run together
  distributed,  ///< the blocks of a tile are a cluster: each reads a part from all of them and adds
};

inline constexpr int kMostRaster = 1024;  ///< of a raster_width
inline constexpr int kMostKStarts = 64;
inline constexpr int kMostMatricesPerBlock = 32;

/// The order of events in a block, and of tiles in time.
struct KernelSchedule {
  MainLoop main_loop = MainLoop::register_staged;
  std::vector<Role> roles;     ///< in the order of their threads
  int stages = 2;              ///< k-tiles in shared memory, or in registers where none is there
  int products_in_flight = 0;  ///< k-tiles that may still be multiplying as the next one's begin
  FirstStages first_stages = FirstStages::after_barrier;
  Release releases = Release::never;
  Launches launches = Launches::behind_others;  ///< that it was chosen for
  ClusterShape cluster;
  int persistent_blocks = 0;  ///< of a grid that walks over the tiles; 0: a block for each tile
  int ping_pong = 1;  ///< of consumers, each with tiles of its own: one multiplies, another drains
  int split_k = 1;    ///< of K, each a block's; their sums meet in order
  Index whole_tiles = 0;  ///< that slices leave whole, the first of the grid: those behind them
                          ///< share out a last wave that they would not fill
  SplitK reduction = SplitK::last_adds;
  int raster_width = 8;        ///< tiles along M that run together; kMostRaster: all
  int k_starts = 1;            ///< places of K at which blocks begin in turn, and go on at 0 behind
                               ///< the last k-tile; 1: all begin at 0
  int matrices_per_block = 0;  ///< of a batch that lies along the grid's first axis, side by side
                               ///< in a block, each with threads of its own; 0: a block has a tile
                               ///< of one, and the batch is the third axis
  int blocks_per_sm = 1;       ///< what the register budget is set for
  int unrolled_k_steps = 0;    ///< of a register-staged kernel; 0: all of a k-tile
  int k_steps_at_once = 1;     ///< whose fragments are read together, so that reads may go along K
  int lanes_of_k = 0;          ///< bits of a lane's number: lanes that differ in these alone share
                               ///< out K, and add what they have by shuffles
  /// Columns that a launch may give tiles, the greatest the tile's n; none: all tiles have that.
  std::vector<int> widths;
  bool split_k_at_run_time = false;  ///< a launch that says how wide tiles are says into how many
                                     ///< slices of K they are cut, too; `split_k` is 1
  bool is_generic = false;  ///< by problems that differ in how many slices of K they have, in
                            ///< clusters and stages, and in whether the next step begins at once:
                            ///< a launch says all of them
  bool operator==(const KernelSchedule&) const = default;
};
/// Does the batch lie along the grid's first axis?
[[nodiscard]] constexpr bool is_batch_first(const KernelSchedule& schedule) {
  return schedule.matrices_per_block > 0;
}
/// Tiles that a block computes at the same time, with threads of their own.
[[nodiscard]] constexpr int tiles_beside(const KernelSchedule& schedule) {
  return is_batch_first(schedule) ? schedule.matrices_per_block : 1;
}
/// Does a block go from tile to tile?
[[nodiscard]] constexpr bool walks(const KernelSchedule& schedule) {
  return schedule.persistent_blocks > 0;
}

/// The most rows that all blocks may read beside so many that each reads alone, where they begin at
/// several places of K: blocks that ask for the same rows at the same time have them sooner.
[[nodiscard]] constexpr Index most_shared_rows(Index own_rows) { return own_rows * 2 / 3; }

/// Do blocks that each have one tile lie along N first? Otherwise along M: those of a column of
/// tiles, which share B, begin together.
[[nodiscard]] constexpr bool lies_along_n(const KernelSchedule& schedule) {
  return schedule.main_loop == MainLoop::warp_specialised && !walks(schedule) &&
         schedule.raster_width == 1 && blocks(schedule.cluster) == 1;
}

/// Do they lie in groups of several rows of tiles, from which neighbours come?
[[nodiscard]] constexpr bool lies_in_groups(const KernelSchedule& schedule) {
  return schedule.main_loop == MainLoop::warp_specialised && !walks(schedule) &&
         schedule.raster_width > 1 && schedule.raster_width < kMostRaster &&
         blocks(schedule.cluster) == 1;
}

/// Are the blocks of a tile, one for each slice of K, a cluster?
[[nodiscard]] constexpr bool reduces_in_cluster(const KernelSchedule& schedule) {
  return schedule.split_k > 1 && schedule.reduction == SplitK::distributed;
}

/// Does a launch say how many slices of K there are?
[[nodiscard]] constexpr bool says_split_k(const KernelSchedule& schedule) {
  return schedule.is_generic || schedule.split_k_at_run_time;
}

/// Does a launch say how many blocks its clusters have, and how many stages there are?
[[nodiscard]] constexpr bool says_cluster(const KernelSchedule& schedule) {
  return schedule.is_generic && schedule.main_loop == MainLoop::warp_specialised;
}
/// Has some launch of the kernel clusters of several blocks?
[[nodiscard]] constexpr bool may_be_clustered(const KernelSchedule& schedule) {
  return says_cluster(schedule) || blocks(schedule.cluster) > 1;
}

/// The earlier of the two moments at which a kernel that problems share may let the next step
/// begin. Small blocks of many kernels would wait side by side for the first of these to end.
[[nodiscard]] constexpr Release early_release(const KernelSchedule& schedule) {
  return schedule.main_loop == MainLoop::straight ? Release::after_previous : Release::at_start;
}
/// Does a launch say whether the next step begins early, or behind the main loops?
[[nodiscard]] constexpr bool is_release_passed(const KernelSchedule& schedule) {
  return schedule.is_generic && (schedule.releases == early_release(schedule) ||
                                 schedule.releases == Release::after_main_loop);
}

/// How warps and engines tell each other that something has happened.
enum class SignalKind : std::uint8_t {
  mbarrier,         ///< in shared memory; counts arrivals and bytes, phase by phase
  bulk_group,       ///< a thread's own TMA stores
  counter,          ///< in the workspace, one a tile; counts blocks and starts anew at the last
  named_barrier,    ///< of so many threads of a block
  cluster_barrier,  ///< of so many threads of a cluster
};

/// One signal: a row of what a kernel waits for. A region of the same name holds an mbarrier.
struct Signal {
  std::string name;
  SignalKind kind = SignalKind::mbarrier;
  int copies = 1;
  int arrivals = 1;         ///< that end a phase; of a generic kernel's counter, for each slice
  std::int64_t bytes = 0;   ///< that end it too
  bool in_cluster = false;  ///< raised from other blocks of the cluster
  std::string raised_by, awaited_by;
  bool operator==(const Signal&) const = default;
};

}  // namespace jute

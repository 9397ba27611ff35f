// Waves, k-blocks, feed and epilogue of a tile in clocks.
#include "plan/cost_model.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>

#include "plan/edge_rows.hpp"
#include "plan/feed_cost.hpp"
#include "plan/line.hpp"
#include "plan/moves.hpp"
#include "plan/parameters.hpp"
#include "plan/release.hpp"
#include "plan/signals.hpp"
#include "plan/slice_cost.hpp"
#include "plan/tile_rates.hpp"

namespace jute::plan {
namespace {

constexpr double kLaunch = 1900;       // from one kernel to the next
constexpr double kStart = 2870;        // until the first products
constexpr double kStartBeside = 1950;  // where blocks begin beside others of their SM
// Until blocks of a cluster have met, and for each doubling of them; how much slower memory answers
// those who wait for each other, one, two, four or eight: four ask for longer runs.
constexpr double kClusterStart = 655, kClusterDoubled = 300;
// Of each block of theirs until all are launched, which work of so many clocks begins to hide.
constexpr double kClusterBlock = 20, kHidesLaunch = 2390;
constexpr std::array kClusterDram{0.0, 0.04, -0.015, 0.05};
// Bytes in a clock: of the chip, for one block, and for it once its loads flow; by when they do.
constexpr double kDram = 2790, kDramOfBlock = 31.5, kFlow = 68.5, kUntilFlow = 2800;
// Of that, where two blocks each read the larger operand's rows, at once: none comes again.
constexpr double kOfPairs = 1.022;
constexpr double kDramAlongMn = 2600;  // where a row of the larger operand is many blocks'
// Of that, where few rows are multiplied with many in each block, and some of the chip is idle.
constexpr double kFewLarge = 0.98;
// What memory moves again of an operand that is contiguous along mn and that several tiles read.
constexpr double kReadAgain = 0.6;
// Likewise along K; and where the tiles share out rows of the other operand that one could take.
constexpr double kReadAgainAlongK = 0.02, kReadAgainForFew = 0.45;
constexpr double kFromCache = 0.01;  // of a byte of memory's time, what one takes into an SM
constexpr Index kFewRows = 64, kManyRows = kFewRows + 1;
constexpr double kPastTheEdge = 0.45;  // of a row's cost, what TMA fills with zeros
// Clocks of a tile, however many k-blocks it has; and more where warps store rows of D.
constexpr double kTile = 390, kTileByRows = 1540;
constexpr double kTileAlongM = 5;  // where D lies along the kernel's M and would as well along N
constexpr double kWalk = 170;      // of a tile, where a block has others before or after it
constexpr double kTurn = 1.03;     // of a tile's products, where teams change
// Copies of operands: clocks of their launch, bytes that they read and write in a clock.
constexpr double kMoves = 3910, kMoved = 2300;
constexpr double kLeast = 0.02;      // of the lesser of work and memory, which hides in the other
constexpr double kLastOfTeam = 0.7;  // of an end
// Slices whose data memory brings at different times wait for each other: part of memory's clocks.
constexpr double kApart = 0.166, kMostApart = 2330;
constexpr double kAllMeet = 0.15;  // of a meeting, where the chip is full of blocks that meet

// Clocks of work from which on the power limit is felt, and by how much more than memory's.
constexpr double kLongWork = 40000, kMoreThanMemory = 1.18;

double start_of(const GroupTile& tile) { return tile.beside > 1 ? kStartBeside : kStart; }

/// Clocks in which memory moves the bytes for so many blocks.
double clocks_of_memory(double bytes, double dram, double blocks) {
  const double of_block = bytes / blocks;
  return std::max(bytes / dram, std::min(of_block / kDramOfBlock, kUntilFlow + of_block / kFlow));
}

/// Few rows of one operand with many of the other in each block, none for some SMs.
bool has_few_large_blocks(const GroupTile& tile, const KernelProblem& problem,
                          const DeviceInfo& device) {
  constexpr int kManyOfTile = 64;
  constexpr Index kFew = 48;
  constexpr double kMost = 0.9;  // of the SMs
  const Index m = problem.m.value, n = problem.n.value;
  return std::min(m, n) <= kFew && (m > n ? tile.m : tile.n) > kManyOfTile &&
         tiles_of({tile.m, tile.n}, m, n, problem.batch.value) < kMost * device.sm_count;
}

int doublings(const ClusterShape& cluster) {
  return std::bit_width(static_cast<unsigned>(blocks(cluster))) - 1;
}

double answers_later(const ClusterShape& cluster) {
  return 1 +
         kClusterDram[std::min(static_cast<size_t>(doublings(cluster)), kClusterDram.size() - 1)];
}

/// By how much two that go on at the same time delay each other, the more the more equal they are:
/// together they take the eighth root of the sum of their eighth powers.
double delay(double less, double more) {
  const double part = less / std::max(more, 1.0), square = part * part, fourth = square * square;
  return more * std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth))) - more;
}

/// What memory moves again of an operand that tiles share, by the rows of the other one.
double read_again(const KernelMatrix& matrix, Index others) {
  if (matrix.major == Major::mn) return kReadAgain;
  return others <= kFewRows ? kReadAgainForFew : kReadAgainAlongK;
}

/// What neither the problem's M nor its batch changes.
void set_fixed_parts(Prediction& parts, const GroupTile& tile, const KernelProblem& problem) {
  const int width = width_bytes(problem.a.type);
  const double area = static_cast<double>(tile.m) * tile.n;
  parts.launch = kLaunch;
  parts.start = start_of(tile) + (blocks(tile.cluster) > 1 ? kClusterStart : 0) +
                kClusterDoubled * doublings(tile.cluster);
  const double lines = std::ceil(static_cast<double>(problem.k.value) * width / kLine);
  parts.k_blocks = std::ceil(lines * products_of_tile(problem) / tile.slices);
  parts.products = clocks_of_products(tile.m, tile.n);
  const bool is_along_m = tile.swapped && !drains_whole_lines_only_swapped(tile, problem);
  parts.tile =
      kTile + (is_by_rows(tile, problem) ? kTileByRows : 0) + (is_along_m ? kTileAlongM : 0);
  parts.epilogue = area / epilogue_rate(tile, problem);
  if (tile.slices > 1)
    parts.meet = clocks_to_meet(
        tile, tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value),
        width_bytes(problem.accumulate));
}

}  // namespace

KernelCost kernel_cost(const GroupTile& tile, const KernelProblem& problem,
                       const DeviceInfo& device) {
  const bool across = problem.transposed;  // the problem's M is the kernel's N
  const auto [tile_m, cluster_m] = std::pair(Index{tile.m}, Index{tile.cluster.m});
  const auto [tile_n, cluster_n] = std::pair(Index{tile.n}, Index{tile.cluster.n});
  const Index m = across ? problem.n.value : problem.m.value;
  const Index n = across ? problem.m.value : problem.n.value;
  KernelCost cost;
  cost.tile_rows = across ? tile_n : tile_m;
  cost.cluster_rows = across ? cluster_n : cluster_m;
  const Index columns = across ? tile_m : tile_n;
  cost.tiles_across = ceil_div(n, columns);
  cost.clusters_across = ceil_div(cost.tiles_across, across ? cluster_m : cluster_n);
  cost.slices = tile.slices;
  cost.cluster = blocks(tile.cluster);
  cost.teams = tile.teams;
  cost.beside = tile.beside;
  const ClusterShape together{
      tile.cluster.m * (tile.meeting == Meeting::distributed ? tile.slices : 1), tile.cluster.n};
  cost.slots = std::max<Index>(blocks_at_once(together, device) / cost.cluster, 1) * tile.beside;
  cost.k_bytes =
      static_cast<double>(problem.k.value) * width_bytes(problem.a.type) * problem.a.terms;
  cost.row_bytes = cost.k_bytes;
  cost.other_bytes = cost.k_bytes * static_cast<double>(n);
  cost.d_row_bytes = static_cast<double>(n) * width_bytes(problem.d.type);
  cost.written = write_rates(tile, problem);
  const KernelMatrix& rows = across ? problem.b : problem.a;
  const KernelMatrix& columns_of = across ? problem.a : problem.b;
  if (cost.tiles_across > 1) cost.row_bytes += read_again(rows, n) * cost.k_bytes;
  cost.tile_bytes = cost.k_bytes * (1.0 * tile.m / tile.cluster.n + 1.0 * tile.n / tile.cluster.m);
  cost.again_bytes = read_again(columns_of, kManyRows) * cost.other_bytes;
  cost.again_for_few = read_again(columns_of, kFewRows) * cost.other_bytes - cost.again_bytes;
  // Of rows along mn, what is past the edge lies in lines that are fetched anyway.
  const EdgeUnits units = edge_units(tile, problem);
  const Index unit = across ? units.a : units.b;
  cost.past_across = columns_of.major == Major::k
                         ? (unit > 0 ? ceil_div(n, unit) * unit : cost.tiles_across * columns) - n
                         : 0;
  cost.has_past_rows = rows.major == Major::k;
  cost.edge_unit = across ? units.b : units.a;
  cost.dram = ((m > n ? rows : columns_of).major == Major::mn ? kDramAlongMn : kDram) /
              answers_later(tile.cluster) *
              (has_few_large_blocks(tile, problem, device) ? kFewLarge : 1);
  set_fixed_parts(cost.parts, tile, problem);
  cost.felt = felt_end(tile, problem);
  cost.feed = feed_cost(tile, problem, device);
  return cost;
}

namespace {

/// Tiles along the kernel's M and N.
struct Tiles {
  Index down, across;
};

/// Bytes that memory moves for all matrices at least: whole operands, what is read again, fetched
/// past the edge where nothing is left out, and D.
double least_bytes(const GroupTile& tile, const KernelProblem& problem, const Tiles& tiles) {
  const bool has_zeros = adds_in_workspace(tile);
  const auto rows_of = [&](const KernelMatrix& matrix, Index extent, Index others, int tile_rows,
                           Index along, Index readers) {
    const double again = readers > 1 ? read_again(matrix, others) : 0;
    const Index past =
        has_zeros && matrix.major == Major::k ? (along * tile_rows - extent) * readers : 0;
    return static_cast<double>(extent) * (1 + again) + kPastTheEdge * static_cast<double>(past);
  };
  const Index m = problem.m.value, n = problem.n.value;
  const double rows = rows_of(problem.a, m, n, tile.m, tiles.down, tiles.across) +
                      rows_of(problem.b, n, m, tile.n, tiles.across, tiles.down);
  const bool may_be_direct = tile.slices == kAnySlices && is_by_rows(tile, problem);
  const auto matrices = static_cast<double>(problem.batch.value);
  const double of_d = static_cast<double>(m) * static_cast<double>(n) * width_bytes(problem.d.type);
  const WriteRates rates = may_be_direct ? WriteRates{} : write_rates(tile, problem);
  return matrices * rows * static_cast<double>(problem.k.value) * width_bytes(problem.a.type) *
             problem.a.terms +
         bytes_to_write(rates, of_d * matrices);
}

/// What memory moves in a clock at most.
double most_dram(const KernelProblem& problem) {
  const Index m = problem.m.value, n = problem.n.value;
  const bool a = problem.a.major == Major::mn, b = problem.b.major == Major::mn;
  const bool is_larger_along_mn = m == n ? a && b : m > n ? a : b;
  const double faster = std::max(1 / (1 + std::ranges::min(kClusterDram)), kOfPairs);
  return (is_larger_along_mn ? kDramAlongMn : kDram) * faster;
}

}  // namespace

double least_clocks(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr double kRounding = 1 - 1e-9;
  const Tiles of{ceil_div(std::max<Index>(problem.m.value, 1), tile.m),
                 ceil_div(std::max<Index>(problem.n.value, 1), tile.n)};
  const auto matrices = static_cast<double>(problem.batch.value);
  const double tiles = std::max(static_cast<double>(of.down * of.across) * matrices, 1.0);
  const double area = static_cast<double>(tile.m) * tile.n;
  const double times = products_of_tile(problem), k_block = least_k_block(tile, problem);
  const double k_blocks =
      std::ceil(static_cast<double>(problem.k.value) * width_bytes(problem.a.type) / kLine) * times;
  const double power = least_power(tile);
  const double bytes = least_bytes(tile, problem, of), dram = most_dram(problem);
  // By how many slices it takes, and the end of a tile that is so cut.
  const auto of_slices = [&](double slices, double end, double meet) {
    const double rounds = slices > 1 ? 1 : std::ceil(tiles / device.sm_count);
    const double ends = tile.teams > 1 ? std::min(rounds, 1.0) : std::ceil(rounds / tile.beside);
    const double work = (rounds * std::ceil(k_blocks / slices) * k_block + ends * end) * power;
    const bool is_alone = tile.slices != kAnySlices && blocks(tile.cluster) == 1;
    const double moved = is_alone ? clocks_of_memory(bytes, dram, tiles * slices) : bytes / dram;
    const double memory = moved + (tile.teams > 1 ? kLastOfTeam : 1) * end;
    return kRounding * (kLaunch + start_of(tile) + std::max(work, memory) +
                        kLeast * std::min(work, memory) + meet);
  };
  const double end = kTile + area / epilogue_rate(tile, problem);
  const int width = width_bytes(problem.accumulate);
  if (tile.slices > 1) return of_slices(tile.slices, end, clocks_to_meet(tile, 0, width));
  const double whole = of_slices(1, end, 0);
  const auto asked =
      tile.meeting == Meeting::distributed ? std::optional(tile.meeting) : std::nullopt;
  const int most = tile.slices == kAnySlices ? most_slices(tile, problem, device, asked) : 1;
  if (most < 2) return whole;
  // Many slices have the fewest k-blocks, two of them meet soonest, in a cluster or not.
  GroupTile in_cluster = tile;
  in_cluster.meeting = Meeting::distributed;
  const double meet =
      std::min(clocks_to_meet(tile, 0, width), clocks_to_meet(in_cluster, 0, width));
  return std::min(whole, of_slices(most, kTile, meet));
}

std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device, bool any_m) {
  if (step.schedule.main_loop != MainLoop::warp_specialised) return std::nullopt;
  if (step.mma.atom().form == MmaForm::fma) return std::nullopt;  // its clocks are of tensor cores
  KernelProblem problem;
  problem.transposed = step.transposed;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
  problem.products = step.products;
  for (const TermProduct& product : step.products)
    problem.a.terms = std::max(problem.a.terms, product.a + 1);
  problem.a.type = step.a.type;
  problem.a.ld = step.a.ld;
  problem.a.major = step.a.major;
  problem.b.type = step.b.type;
  problem.b.major = step.b.major;
  problem.b.ld = step.b.ld;
  problem.d.type = step.epilogue.d_type;
  problem.d.access_bytes = step.epilogue.drain && step.epilogue.drain->boxes ? 16 : 1;
  problem.accumulate = step.accumulate;
  GroupTile tile{};
  tile.m = step.tile.m;
  tile.n = step.tile.n;
  tile.k_bytes = step.tile.k * width_bytes(step.a.type);
  tile.cluster = step.schedule.cluster;
  tile.atoms_m = consumer_groups(step);
  tile.slices = step.schedule.slices;
  tile.meeting = step.schedule.meeting;
  tile.teams = step.schedule.teams;
  tile.beside = blocks_beside(step, device);
  tile.swapped = step.epilogue.d_order == Order::col;
  tile.any_m = any_m;
  tile.any_slices = step.schedule.any_slices;
  tile.edge_rows = step.a.edge_unit + step.b.edge_unit > 0 ? EdgeRows::left_out : EdgeRows::zeros;
  return kernel_cost(tile, problem, device);
}

std::optional<KernelCost> kernel_cost(const Plan& plan, const GemmStep& step, bool any_m) {
  std::optional<KernelCost> cost = kernel_cost(step, plan.device, any_m);
  if (cost)
    for (const Step& other : plan.steps)
      if (const auto* moves = std::get_if<MoveStep>(&other)) add_moves(*cost, *moves, plan.problem);
  return cost;
}

namespace {

/// Bytes that memory moves for so many rows, and those of them that lie past the edge.
struct Moved {
  double bytes = 0, past_the_edge = 0;
};
Moved moved_by_memory(const KernelCost& cost, Index m, double matrices) {
  const Index tiles = ceil_div(m, cost.tile_rows);
  const Index last_row =
      cost.edge_unit > 0 ? ceil_div(m, cost.edge_unit) * cost.edge_unit : tiles * cost.tile_rows;
  const Index past_m = cost.has_past_rows ? last_row - m : 0;
  const double past_rows = static_cast<double>(past_m) * static_cast<double>(cost.tiles_across) +
                           static_cast<double>(cost.past_across) * static_cast<double>(tiles);
  const double again = cost.again_bytes + (m <= kFewRows ? cost.again_for_few : 0);
  const auto rows = static_cast<double>(m);
  const double cached = kFromCache * static_cast<double>(tiles) *
                        static_cast<double>(cost.tiles_across) * cost.tile_bytes;
  return {matrices * (rows * cost.row_bytes + cost.other_bytes + (tiles > 1 ? again : 0) + cached) +
              bytes_to_write(cost.written, matrices * rows * cost.d_row_bytes),
          kPastTheEdge * matrices * past_rows * cost.k_bytes};
}

/// Do two blocks, and no more, read each row of the larger operand, without a cluster?
bool reads_in_pairs(const KernelCost& cost, Index m) {
  const double rows_bytes = static_cast<double>(m) * cost.row_bytes;
  const bool shares_other = ceil_div(m, cost.tile_rows) == 2 && cost.other_bytes > rows_bytes;
  const bool shares_rows = cost.tiles_across == 2 && rows_bytes > cost.other_bytes;
  return cost.cluster == 1 && cost.slices == 1 && (shares_other || shares_rows);
}

/// Until slices are added of which so many blocks run.
double clocks_until_met(const KernelCost& cost, double blocks, double memory) {
  const double at_work = std::min(blocks / static_cast<double>(cost.slots * cost.cluster), 1.0);
  return cost.parts.meet * (1 + kAllMeet * at_work) + std::min(kApart * memory, kMostApart);
}

}  // namespace

Outcome outcome(const KernelCost& cost, Index m, Index batch) {
  const auto& [tile_rows, cluster_rows, tiles_across, clusters_across, past_across, has_past_rows,
               edge_unit, slices, cluster, slots, teams, beside, felt, row_bytes, other_bytes,
               again_bytes, again_for_few, d_row_bytes, written, dram, k_bytes, tile_bytes,
               moved_row_bytes, moved_bytes, parts, feed] = cost;
  Outcome result;
  const KBlock k_block =
      feed ? k_block_of(*feed, parts.products, m) : KBlock{parts.feed, parts.k_block};
  result.feed = k_block.feed;
  result.k_block = k_block.clocks;
  const Index tiles = ceil_div(m, tile_rows);
  const auto matrices = static_cast<double>(batch);
  // Of whatever extents: doubles hold what integers do not.
  const double clusters = static_cast<double>(ceil_div(tiles, cluster_rows)) *
                          static_cast<double>(clusters_across) * matrices *
                          static_cast<double>(slices);
  result.waves = std::ceil(clusters / static_cast<double>(slots));
  // Blocks beside each other share what loads and multiplies, and wait at the same time.
  const double products =
      parts.k_blocks * k_block.clocks * (teams > 1 ? kTurn : 1) * static_cast<double>(beside);
  result.tile = parts.tile + (teams == 1 && result.waves > 1 ? kWalk : 0);
  const double end = result.tile + parts.epilogue;
  // Two teams hide each other's ends, as far as products last.
  result.ends = teams == 1 ? result.waves
                           : 1 + result.waves * (std::max(0.0, end - products) / (2 * end) + felt);
  result.work = result.waves * products + result.ends * end;
  // No more blocks than the same number of rounds needs.
  const double blocks = std::max(std::ceil(clusters / std::max(result.waves, 1.0)), 1.0) *
                        static_cast<double>(cluster);
  if (cluster > 1)
    result.start = kClusterBlock * blocks * std::clamp(2 - result.work / kHidesLaunch, 0.0, 1.0);
  const auto [bytes, past] = moved_by_memory(cost, m, matrices);
  result.in_pairs = result.waves <= 1 && reads_in_pairs(cost, m);
  const double rate = dram * (result.in_pairs ? kOfPairs : 1);
  result.memory = clocks_of_memory(bytes, rate, blocks);
  result.past_the_edge = clocks_of_memory(bytes + past, rate, blocks) - result.memory;
  // Memory rests while the last tile leaves, less where it has half of the threads to itself.
  result.last_end = teams == 1 ? end : kLastOfTeam * end;
  const double memory = result.memory + result.past_the_edge + result.last_end;
  if (feed && result.work > std::max(kMoreThanMemory * memory, kLongWork))
    result.power = 1 + feed->power_clocks / k_block.clocks;
  result.work *= result.power;
  // Where memory decides, the tile that leaves most of the time to it; neither runs at its best
  // where both have as much to do.
  const double less = std::min(result.work, memory), more = std::max(result.work, memory);
  result.least = kLeast * less + delay(less, more);
  if (slices > 1) result.meet = clocks_until_met(cost, blocks, result.memory);
  result.start += parts.start;
  const double alone = parts.launch + result.start + more + result.least;
  result.is_early = begins_early(cost, m, batch, alone);
  if (!result.is_early) result.start += clocks_of_late_start(alone);
  result.clocks = parts.launch + result.start + more + result.least + result.meet;
  if (const double moved = static_cast<double>(m) * moved_row_bytes + moved_bytes; moved > 0)
    result.moves = kMoves + matrices * moved / kMoved;
  result.clocks += result.moves;
  return result;
}

}  // namespace jute::plan

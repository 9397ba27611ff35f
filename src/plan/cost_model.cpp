// Waves, k-blocks, feed and epilogue of a tile in clocks.
#include "plan/cost_model.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "base/format.hpp"
#include "plan/line.hpp"
#include "plan/moves.hpp"
#include "plan/parameters.hpp"
#include "plan/promotion.hpp"
#include "plan/schedule_rules.hpp"
#include "plan/signals.hpp"
#include "plan/slice_cost.hpp"
#include "plan/tile_rates.hpp"

namespace jute::plan {
namespace {

constexpr int kMostStages = 12;
constexpr double kLaunch = 2000;  // from one kernel to the next
constexpr double kStart = 3000;   // until the first products
constexpr double kTensorRate =
    32 * 128;  // product bytes of an SM in a clock: 64 x 2 bytes a column
constexpr double kDram = 2400, kDramOfBlock = 24;  // bytes in a clock: of the chip, for one block
constexpr double kDramAlongMn = 1900;  // where a row of the larger operand is many blocks'
// What memory moves again of an operand that is contiguous along mn and that several tiles read.
constexpr double kReadAgain = 0.9;
constexpr double kPastTheEdge = 0.5;   // of a row's cost, what TMA fills with zeros
constexpr double kTile = 350;          // clocks of a tile, however many k-blocks it has
constexpr double kTurn = 1.015;        // of a tile's products, where teams change
constexpr double kIssue = 6;           // clocks of a k-block that nothing hides
constexpr double kDrainAlongM = 1.01;  // D along the kernel's M is somewhat slower to drain
// Copies of operands: clocks of their launch, bytes that they read and write in a clock.
constexpr double kMoves = 4000, kMoved = 2000;
constexpr double kLeast = 0.02;      // of the lesser of work and memory, which hides in the other
constexpr double kLastOfTeam = 0.7;  // of an end
constexpr double kTogether = 0.1;    // of either, where work and memory take equally long
constexpr double kSoon = 18500;      // clocks: below them starting early pays

/// Rows of a block by the groups of 64 that share it, the widths that their registers hold, and the
/// clocks that a k-block takes however few its products are: so much, and so much a column.
struct Band {
  int m, groups;
  int most_n, most_promoted_n;
  double clocks, clocks_a_column;
};
constexpr std::array kBands{Band{128, 2, 256, 192, 365, 1.1}, Band{256, 2, 200, 96, 430, 1.1},
                            Band{192, 3, 200, 112, 450, 1.1}, Band{64, 1, 256, 192, 225, 0.55}};
/// Of one of two teams, who share nothing but the stages.
constexpr std::array kTeamBands{Band{128, 1, 200, 96, 365, 1.1}, Band{64, 1, 256, 192, 130, 1.97}};

std::span<const Band> bands_of(int teams) {
  return teams > 1 ? std::span<const Band>(kTeamBands) : std::span<const Band>(kBands);
}
const Band& band_of(const GroupTile& tile) {
  const std::span<const Band> bands = bands_of(tile.teams);
  const auto found = std::ranges::find(bands, tile.m, &Band::m);
  return found == bands.end() ? bands.front() : *found;
}
/// At its power limit a chip runs slower the more each product reads from shared memory: by so much
/// for each row and column less, where its tensor cores never wait.
constexpr double kLongWork = 40000, kUsualReads = 1.0 / 128 + 1.0 / 256, kPower = 13;
constexpr int kWidthStep = 8;

/// Tiles that run together cover a square of D, roughly; all rows of tiles where the cache keeps A
/// and B is the larger.
int raster_group(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr Index kMostRows = 32, kPartOfCache = 3;
  const Index rows = ceil_div(problem.m.value, tile.m);
  const bool keeps_a = static_cast<double>(problem.m.value) * static_cast<double>(problem.k.value) *
                           width_bytes(problem.a.type) <=
                       static_cast<double>(device.l2_bytes) / kPartOfCache;
  if (keeps_a && rows > 1 && rows <= kMostRows && problem.n.value > problem.m.value)
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows)));
  // Wider where little of D passes through the cache meanwhile.
  const double wide = tile.teams > 1 && is_direct(tile, problem) ? 0.5 : std::sqrt(2.0);
  const double square = std::sqrt(static_cast<double>(device.sm_count) * tile.n / tile.m);
  const unsigned most = std::bit_ceil(static_cast<unsigned>(std::clamp<Index>(rows, 1, 1024)));
  return static_cast<int>(
      std::min(most, std::bit_floor(static_cast<unsigned>(std::max(1.0, square * wide)))));
}

/// Where an operand is contiguous along mn, its boxes are as wide as the swizzle.
bool is_wide_enough(const KernelMatrix& matrix, int extent) {
  return matrix.major == Major::k || extent * width_bytes(matrix.type) % kLine == 0;
}

/// Has a block more than one tile?
bool is_walked(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  return tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value) >
         device.sm_count;
}

/// What neither the problem's M nor its batch changes.
Prediction fixed_parts(const GroupTile& tile, const KernelProblem& problem) {
  const int width = width_bytes(problem.a.type);
  const double area = static_cast<double>(tile.m) * tile.n;
  const Band& band = band_of(tile);
  Prediction parts;
  parts.launch = kLaunch;
  parts.start = kStart;
  parts.k_blocks =
      std::ceil(std::ceil(static_cast<double>(problem.k.value) * width / kLine) / tile.slices);
  parts.products = area * kLine / kTensorRate;
  parts.feed = std::max((tile.m + tile.n) * kLine / feed_rate(tile, problem),
                        band.clocks + band.clocks_a_column * tile.n);
  parts.k_block = std::max(parts.products, parts.feed) + kIssue;
  parts.tile = kTile;
  parts.epilogue = area / epilogue_rate(tile, problem);
  parts.meet = tile.slices > 1 ? clocks_to_meet(tile, width_bytes(problem.accumulate)) : 0;
  parts.drain = tile.swapped ? kDrainAlongM : 1;
  return parts;
}

}  // namespace

// Blocks of a kernel that waits for memory, then for each other, give their places to nobody: what
// the next one loads would be in their way.
Release release_for(const GroupTile& tile, const Prediction& prediction) {
  if (tile.meeting == Meeting::all_add && prediction.memory > prediction.work)
    return Release::never;
  return prediction.clocks < kSoon ? Release::at_start : Release::after_main_loop;
}

KernelCost kernel_cost(const GroupTile& tile, const KernelProblem& problem,
                       const DeviceInfo& device) {
  const bool across = problem.transposed;  // the problem's M is the kernel's N
  const auto [tile_m, cluster_m] = std::pair(Index{tile.m}, Index{tile.cluster.m});
  const auto [tile_n, cluster_n] = std::pair(Index{tile.n}, Index{tile.cluster.n});
  const Index n = across ? problem.m.value : problem.n.value;
  KernelCost cost;
  cost.tile_rows = across ? tile_n : tile_m;
  cost.cluster_rows = across ? cluster_n : cluster_m;
  const Index columns = across ? tile_m : tile_n;
  cost.tiles_across = ceil_div(n, columns);
  cost.clusters_across = ceil_div(cost.tiles_across, across ? cluster_m : cluster_n);
  cost.past_across = cost.tiles_across * columns - n;
  cost.slices = tile.slices;
  cost.cluster = blocks(tile.cluster);
  cost.teams = tile.teams;
  cost.slots = std::max<Index>(device.sm_count / cost.cluster, 1);
  cost.k_bytes = static_cast<double>(problem.k.value) * width_bytes(problem.a.type);
  cost.row_bytes = cost.k_bytes + static_cast<double>(n) * width_bytes(problem.d.type) *
                                      bytes_to_write(tile, problem);
  cost.other_bytes = cost.k_bytes * static_cast<double>(n);
  const KernelMatrix& rows = across ? problem.b : problem.a;
  const KernelMatrix& columns_of = across ? problem.a : problem.b;
  if (rows.major == Major::mn && cost.tiles_across > 1) cost.row_bytes += kReadAgain * cost.k_bytes;
  if (columns_of.major == Major::mn) cost.again_bytes = kReadAgain * cost.other_bytes;
  const Index m = across ? problem.n.value : problem.m.value;
  cost.dram = (m > n ? rows : columns_of).major == Major::mn ? kDramAlongMn : kDram;
  cost.parts = fixed_parts(tile, problem);
  cost.felt = felt_end(tile, problem);
  cost.when_long = 1 + kPower * cost.parts.products / cost.parts.k_block *
                           (1.0 / tile.m + 1.0 / tile.n - kUsualReads);
  return cost;
}

namespace {

struct Ranked {
  double clocks;
  GroupTile tile;
};

/// What blocks of the band's rows and of n columns do, but for slices.
GroupTile tile_of(const Band& band, int n, bool whole_lines) {
  GroupTile tile{.m = band.m,
                 .n = n,
                 .k_bytes = kLine,
                 .atoms_m = band.groups,
                 .atoms_n = 1,
                 .stages = kMostStages,
                 .cluster = {1, 1},
                 .first_stages = FirstStages::by_initialiser};
  // Lines that rows cut are shared by two blocks, or each would fetch them anew.
  if (!whole_lines) {
    tile.cluster = n > band.m ? ClusterShape{2, 1} : ClusterShape{1, 2};
    tile.first_stages = FirstStages::after_barrier;
  }
  return tile;
}

/// What tiles of one kind have in common.
struct Kind {
  bool promotes, swapped;
  int teams;
  bool is_asked;  ///< the caller wants these teams
  std::optional<Meeting> meeting;
};

/// Where memory decides by far, more in flight than keeps it busy scatters what it reads.
int stages_for(const GroupTile& tile, const Prediction& prediction) {
  constexpr double kByFar = 1.5;
  constexpr int kInFlight = 160 * 1024, kLeastStages = 3;
  if (prediction.memory < kByFar * prediction.work) return tile.stages;
  return std::clamp(kInFlight / ((tile.m + tile.n) * tile.k_bytes), kLeastStages, tile.stages);
}

void add_tiles(std::vector<Ranked>& list, const KernelProblem& problem, const DeviceInfo& device,
               Kind kind) {
  const bool whole_lines = has_whole_lines(problem.a) && has_whole_lines(problem.b);
  const Index m = (problem.transposed ? problem.n : problem.m).value, batch = problem.batch.value;
  for (const Band& band : bands_of(kind.teams))
    for (int n = kind.promotes ? band.most_promoted_n : band.most_n; n >= kWidthStep;
         n -= kWidthStep) {
      if (!is_wide_enough(problem.b, n) || !is_wide_enough(problem.a, std::min(band.m, 64)))
        continue;
      GroupTile tile = tile_of(band, n, whole_lines);
      tile.swapped = kind.swapped;
      tile.teams = kind.teams;
      tile.raster_group = raster_group(tile, problem, device);
      if (kind.teams > 1 && !kind.is_asked && !is_walked(tile, problem, device)) continue;
      for_slices(tile, problem, device, kind.meeting, [&](const GroupTile& sliced) {
        const Prediction prediction = kernel_cost(sliced, problem, device).at(m, batch);
        list.push_back({prediction.clocks, sliced});
        list.back().tile.release = release_for(sliced, prediction);
        list.back().tile.stages = stages_for(sliced, prediction);
      });
    }
}

/// May D leave along the transposed kernel's M? Whole pieces of 16 bytes do, by slabs.
bool may_be_swapped(const KernelProblem& problem) {
  const int piece = 16 / width_bytes(problem.d.type);
  return width_bytes(problem.d.type) == 2 && problem.d.access_bytes == 16 && problem.n.baked &&
         problem.n.value % piece == 0;
}

}  // namespace

std::vector<GroupTile> ranked_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                    size_t most, const Config& config) {
  std::optional<bool> swapped = config.swapped;
  if (!swapped && config.meeting == Meeting::all_add) swapped = false;
  const bool promotes = promotion(problem, config) > 0;
  std::vector<Ranked> list;
  // Teams do not gather together.
  const bool gathers = std::ranges::any_of(problem.outputs, [](const KernelOperand& output) {
    return output.gather != EpilogueGather::elements;
  });
  const int most_teams = gathers ? 1 : kMostTeams;
  for (int teams = config.teams.value_or(1); teams <= config.teams.value_or(most_teams); ++teams) {
    if (!swapped.value_or(false))
      add_tiles(list, problem, device,
                {promotes, false, teams, config.teams.has_value(), config.meeting});
    if (swapped.value_or(may_be_swapped(problem)))
      add_tiles(list, transposed(problem), device,
                {promotes, true, teams, config.teams.has_value(), config.meeting});
  }
  // Ties by the order of the table: their places in the list break them.
  std::vector<std::pair<double, size_t>> order;
  for (size_t i = 0; i < list.size(); ++i) order.emplace_back(list[i].clocks, i);
  most = std::min(most, list.size());
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(most));
  std::vector<GroupTile> best;
  for (size_t i = 0; i < most; ++i) best.push_back(list[order[i].second].tile);
  return best;
}

std::optional<KernelCost> kernel_cost(const GemmStep& step, const DeviceInfo& device) {
  if (step.schedule.main_loop != MainLoop::warp_specialised) return std::nullopt;
  if (step.mma.atom().form == MmaForm::fma) return std::nullopt;  // its clocks are of tensor cores
  KernelProblem problem;
  problem.transposed = step.transposed;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
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
  tile.cluster = step.schedule.cluster;
  tile.atoms_m = consumer_groups(step);
  tile.slices = step.schedule.slices;
  tile.meeting = step.schedule.meeting;
  tile.teams = step.schedule.teams;
  tile.swapped = step.epilogue.d_order == Order::col;
  return kernel_cost(tile, problem, device);
}

}  // namespace jute::plan

namespace jute {

Prediction KernelCost::at(Index m, Index batch) const {
  Prediction result = parts;
  const Index tiles = ceil_div(m, tile_rows);
  const auto matrices = static_cast<double>(batch);
  const double clusters = static_cast<double>(ceil_div(tiles, cluster_rows) * clusters_across) *
                          matrices * static_cast<double>(slices);
  result.waves = std::ceil(clusters / static_cast<double>(slots));
  const double products = parts.k_blocks * parts.k_block * (teams > 1 ? plan::kTurn : 1);
  const double end = parts.tile + parts.epilogue;
  // Two teams hide each other's ends, as far as products last.
  result.ends = teams == 1 ? result.waves
                           : 1 + result.waves * (std::max(0.0, end - products) / (2 * end) + felt);
  result.work = result.waves * products + result.ends * end;
  // No more blocks than the same number of rounds needs.
  const double blocks = std::max(std::ceil(clusters / std::max(result.waves, 1.0)), 1.0) *
                        static_cast<double>(cluster);
  const double rate = std::min(dram, blocks * plan::kDramOfBlock);
  const auto past_rows =
      static_cast<double>((tiles * tile_rows - m) * tiles_across + past_across * tiles);
  result.memory =
      matrices *
      (static_cast<double>(m) * row_bytes + other_bytes + (tiles > 1 ? again_bytes : 0)) / rate;
  result.past_the_edge = plan::kPastTheEdge * matrices * past_rows * k_bytes / rate;
  // Memory rests while the last tile leaves, less where it has half of the threads to itself.
  result.last_end = teams == 1 ? end : plan::kLastOfTeam * end;
  const double memory = result.memory + result.past_the_edge + result.last_end;
  if (result.work > std::max(memory, plan::kLongWork)) result.power = when_long;
  result.work *= result.power;
  // Where memory decides, the tile that leaves most of the time to it; neither runs at its best
  // where both have as much to do.
  const double less = std::min(result.work, memory), more = std::max(result.work, memory);
  const double balance = std::pow(less / std::max(more, 1.0), 8);
  result.least = plan::kLeast * less + plan::kTogether * more * balance;
  result.clocks = result.drain * (result.launch + result.start + std::max(result.work, memory) +
                                  result.least + result.meet);
  if (const double moved = static_cast<double>(m) * moved_row_bytes + moved_bytes; moved > 0)
    result.moves = plan::kMoves + matrices * moved / plan::kMoved;
  result.clocks += result.moves;
  return result;
}

std::optional<KernelCost> kernel_cost(const Plan& plan) {
  std::optional<KernelCost> cost = plan::kernel_cost(gemm_step(plan), plan.device);
  if (cost)
    for (const Step& step : plan.steps)
      if (const auto* moves = std::get_if<MoveStep>(&step))
        plan::add_moves(*cost, *moves, plan.problem);
  return cost;
}

Fields fields(const Prediction& prediction) {
  // Clocks and rounds as whole numbers, factors in hundredths.
  const auto whole = [](double value) { return static_cast<Index>(std::llround(value)); };
  const auto factor = [](double value) { return base::format("{:.3f}", value); };
  return {{"clocks", whole(prediction.clocks)},
          {"launch", whole(prediction.launch)},
          {"start", whole(prediction.start)},
          {"waves", whole(prediction.waves)},
          {"k_blocks", whole(prediction.k_blocks)},
          {"k_block", whole(prediction.k_block)},
          {"products", whole(prediction.products)},
          {"feed", whole(prediction.feed)},
          {"tile", whole(prediction.tile)},
          {"epilogue", whole(prediction.epilogue)},
          {"ends", factor(prediction.ends)},
          {"power", factor(prediction.power)},
          {"work", whole(prediction.work)},
          {"memory", whole(prediction.memory)},
          {"past_the_edge", whole(prediction.past_the_edge)},
          {"last_end", whole(prediction.last_end)},
          {"least", whole(prediction.least)},
          {"meet", whole(prediction.meet)},
          {"drain", factor(prediction.drain)},
          {"moves", whole(prediction.moves)}};
}

}  // namespace jute

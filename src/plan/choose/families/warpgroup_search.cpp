// Every tile of the table, with clusters and slices of K, by predicted clocks.
#include "plan/choose/families/warpgroup_search.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/bands.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/families/priced.hpp"
#include "plan/choose/families/tile_schedule.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/least_clocks.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/shapes/warpgroups/edge_rows.hpp"
#include "plan/shapes/warpgroups/raster.hpp"
#include "plan/shapes/warpgroups/slices.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

constexpr int kWidthStep = 8;
// bench/results/2026-11-25-suite-random-shared.md.
constexpr int kRankedStages = 12;

/// Where an operand is contiguous along mn, its boxes are as wide as the swizzle: those that begin
/// within a line take TMA twice as long. A single tile that is narrower begins where lines do; of
/// several boxes of 16 bytes TMA makes little.
bool is_wide_enough(const KernelMatrix& matrix, int tile, Index extent) {
  constexpr int kBox = 16, kWiderBox = 32;
  const int bytes = tile * width_bytes(matrix.type);
  if (matrix.major == Major::k || bytes % kLine == 0) return true;
  return bytes < kLine && tile >= extent && (bytes == kBox || bytes % kWiderBox == 0);
}

/// Bytes of K in a stage: a line, or half of one where that leaves too few stages of all terms of
/// split operands; or what a shorter K fills, for TMA takes its time with zeros.
int row_bytes(const Band& band, int n, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr Index kLeast = 32;
  constexpr Index kEnoughStages = 3;  // bench/results/2026-11-21-random-split-f32.md
  const Index stage = Index{band.m + n} * kLine * problem.a.terms;
  if (problem.a.terms > 1)
    return kEnoughStages * stage > device.smem_bytes_per_block ? kLine / 2 : kLine;
  const Index bytes = std::max(kLeast, problem.k.value * width_bytes(problem.a.type));
  if (!problem.k.baked || bytes > kLine / 2) return kLine;
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(bytes)));
}

/// The tile of a block of the band's rows and n columns, but for slices.
Tile banded_tile(const Band& band, int n, int k_bytes, ClusterShape cluster) {
  return {.m = band.m,
          .n = n,
          .k_bytes = k_bytes,
          .groups_m = band.groups,
          .groups_n = 1,
          .stages = kRankedStages,
          .cluster = cluster,
          .first_stages =
              blocks(cluster) == 1 ? FirstStages::by_initialiser : FirstStages::after_barrier};
}

/// Clusters that share rows of either operand, of eight where all blocks read the same short ones.
struct ClusterRow {
  ClusterShape shape;
  bool is_for_all;
};

constexpr std::array kClusters{ClusterRow{{1, 1}, false}, ClusterRow{{2, 1}, false},
                               ClusterRow{{1, 2}, false}, ClusterRow{{2, 2}, false},
                               ClusterRow{{4, 1}, false}, ClusterRow{{1, 4}, false},
                               ClusterRow{{8, 1}, true},  ClusterRow{{1, 8}, true}};

/// Clusters that are worth a look: the caller's alone, and slices that meet in one have it for
/// themselves.
std::vector<ClusterRow> clusters_for(const KernelProblem& problem, const Config& config) {
  if (config.cluster) return {{*config.cluster, false}};
  const bool is_copied =  // to stages of one block
      problem.a.carry == Transfer::cp_async || problem.b.carry == Transfer::cp_async;
  if (is_copied || config.reduction == SplitK::distributed) return {kClusters.front()};
  const size_t worth = std::min(clusters_worth_a_look(problem), kClusters.size());
  return {kClusters.begin(), kClusters.begin() + static_cast<std::ptrdiff_t>(worth)};
}

/// May blocks of such tiles form the cluster? None of them is past the edge but the last. More than
/// two that all read the same few rows along K have these from the cache as well.
bool is_filled_by_cluster(const ClusterRow& row, const Band& band, int n,
                          const KernelProblem& problem) {
  constexpr Index kManyRows = 32;
  const Index down = ceil_div(problem.m.value, band.m), across = ceil_div(problem.n.value, n);
  if (row.shape.m > down || row.shape.n > across) return false;
  const auto is_shared_by_all = [&](int sharers, Index tiles) { return sharers > 2 && tiles == 1; };
  const auto suits = [&](const KernelMatrix& matrix, Index extent) {
    return matrix.major == Major::mn || (!row.is_for_all && extent >= kManyRows);
  };
  if (is_shared_by_all(row.shape.m, across)) return suits(problem.b, problem.n.value);
  if (is_shared_by_all(row.shape.n, down)) return suits(problem.a, problem.m.value);
  return !row.is_for_all;
}

/// The givens that tiles of one kind have in common.
struct Kind {
  const KernelProblem& problem;  ///< as their kernel sees it
  const WarpgroupBlocks& blocks;
  SumsOf sums;
  const std::vector<ClusterRow>& clusters;
  bool swapped;
  int ping_pong;
};

/// Tiles of one shape, in whatever clusters and slices: what none of them can do better than, and
/// where they stand in the table.
struct TilesOfShape {
  double least;
  size_t place;
  const Kind* kind;
  const Band* band;
  int n;
};

/// Blocks of an SM that walk beside each other where each tile is one k-tile of one small matrix:
/// what one waits for lies under the others' work, and the next kernel's begin as soon as one ends.
int most_co_resident(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device,
                     const Config& config) {
  constexpr int kCoResident = 4;  // each with 16 of an SM's 64 named barriers
  constexpr Index kMostRows = 64;
  // Tiles of an SM: where there are fewer, some blocks have one more than most.
  // bench/results/2026-11-25-blocks-beside-suite.md.
  constexpr Index kLeastTiles = 7;
  if (problem.batch.value < kLeastTiles * device.sm_count) return 1;
  const bool is_left_open = !config.blocks && !config.producer_warps && !config.stages;
  const Index bytes = problem.k.value * width_bytes(problem.a.type);
  const bool is_one = std::max(problem.m.value, problem.n.value) <= kMostRows &&
                      tile.m >= problem.m.value && tile.n >= problem.n.value &&
                      tile.m <= kMostRows && 2 * bytes >= kLine && bytes <= kLine;
  const bool is_plain = tile.ping_pong == 1 && problem.products.empty() &&
                        blocks(tile.cluster) == 1 && !is_direct(tile, problem);
  return is_left_open && is_one && is_plain ? kCoResident : 1;
}

/// Have threads of a producer that copies registers for what they have at hand, beside sums of the
/// consumers' threads? bench/results/2026-12-01-carriers.md.
bool has_room_to_copy(const Block& block) {
  constexpr double kMostSums = 128, kMostCopies = 64, kWarpsOfProducer = 4;
  return block.copies == 0 || (block.m * block.n <= kMostSums * kWarp * block.warps &&
                               block.copies <= kMostCopies * kWarpsOfProducer);
}

/// The work of tiles of a shape and cluster, however they are cut, and their least clocks.
struct OfShape {
  OfShape(Tile tile, const Kind& kind, const ChipRates& rates)
      : block(kind.blocks.of_shape(tile)),
        grid(grid_of(block, kind.problem)),
        least(with_drain(block, tile, kind), grid, rates) {}
  OfShape(const OfShape&) = delete;
  OfShape& operator=(const OfShape&) = delete;

  Block block;
  Grid grid;
  LeastClocks least;

 private:
  static const Block& with_drain(Block& block, Tile& tile, const Kind& kind) {
    tile.split_k = kSplitKAtRunTime;
    kind.blocks.set_drain(block, tile);
    return block;
  }
};

/// Tiles of warpgroups, shape by shape.
class WarpgroupTiles {
 public:
  WarpgroupTiles(const DeviceInfo& device, const Config& config,
                 const HasInstruction& has_instruction, bool are_shared, Fastest<RankedTile>& best)
      : device_(device),
        has_instruction_(has_instruction),
        law_(law_of(Family::warpgroups, MmaForm::wgmma_ss, DType::bf16, DType::f32, device)),
        config_(config),
        edge_wish_(edge_wish(config)),
        reduction_(are_shared ? config.reduction.value_or(SplitK::last_adds) : config.reduction),
        is_generic_(are_shared),
        best_(best) {}

  void add_shapes(const Kind& kind) {
    for (const Band& band : bands_of(kind.ping_pong))
      for (int n = most_columns(band, kind.sums); n >= kWidthStep; n -= kWidthStep)
        add_shape(kind, band, n);
  }
  /// Adds a tile of the short list, whose transposed ones serve problems that may not be
  /// transposed.
  void add_shared(const Kind& kind, const SharedTile& row, bool may_be_swapped) {
    const Band& band = band_of(row.m, row.ping_pong);
    if (row.ping_pong == kind.ping_pong && (row.swapped && may_be_swapped) == kind.swapped &&
        row.n <= most_columns(band, kind.sums))
      add_shape(kind, band, row.n);
  }
  void look() {
    best_.look_at(std::move(shapes_), [&](const TilesOfShape& shape) { look_at(shape); });
  }

 private:
  static constexpr size_t kMostOfShape = 1 << 16;

  [[nodiscard]] Tile tile_of(const Kind& kind, const Band& band, int n, int k_bytes,
                             ClusterShape cluster) const {
    Tile tile = banded_tile(band, n, k_bytes, cluster);
    tile.swapped = kind.swapped;
    tile.ping_pong = kind.ping_pong;
    if (is_generic_) {
      tile.is_generic = true;
      tile.raster_width = kGenericRasterWidth;
      tile.stages = kGenericStages;
    }
    return tile;
  }
  [[nodiscard]] int co_resident_of(const Tile& tile, const KernelProblem& problem) const {
    return is_generic_ ? 1 : most_co_resident(tile, problem, device_, config_);
  }

  void add_shape(const Kind& kind, const Band& band, int n) {
    const KernelProblem& problem = kind.problem;
    if (!is_wide_enough(problem.a, std::min(band.m, 64), problem.m.value) ||
        !is_wide_enough(problem.b, n, problem.n.value))
      return;
    const auto in_cluster = reduction_ == SplitK::distributed ? reduction_ : std::nullopt;
    Tile tile = tile_of(kind, band, n, kLine, {1, 1});
    if (in_cluster) tile.reduction = *in_cluster;
    tile.co_resident = co_resident_of(tile, problem);
    if (kind.ping_pong > 1 && !config_.ping_pong && !is_generic_ &&
        !is_walked(tile, problem, device_))
      return;
    const int most = most_slices(tile, problem, device_, in_cluster);
    const OfShape of_shape(tile, kind, law_.rates);
    if (!has_room_to_copy(of_shape.block)) return;
    shapes_.push_back({of_shape.least.in_any_split_k(most, tile.reduction),
                       shapes_.size() * kMostOfShape, &kind, &band, n});
  }

  void look_at(const TilesOfShape& shape) {
    const KernelProblem& problem = shape.kind->problem;
    has_its_instruction_.reset();
    size_t place = shape.place;
    for (const ClusterRow& row : shape.kind->clusters) {
      if (!config_.cluster && !is_filled_by_cluster(row, *shape.band, shape.n, problem)) continue;
      const int k_bytes = is_generic_ && problem.a.terms == 1
                              ? kLine
                              : row_bytes(*shape.band, shape.n, problem, device_);
      Tile tile = tile_of(*shape.kind, *shape.band, shape.n, k_bytes, row.shape);
      tile.edge_rows = edge_wish_;
      const OfShape of_shape(tile, *shape.kind, law_.rates);
      for_slices(tile, problem, device_, reduction_,
                 [&](const Tile& sliced) { look_at(sliced, *shape.kind, of_shape, place++); });
      tile.co_resident = co_resident_of(tile, problem);
      if (tile.co_resident > 1)
        look_at(tile, *shape.kind, OfShape(tile, *shape.kind, law_.rates), place++);
    }
  }

  void look_at(const Tile& tile, const Kind& kind, const OfShape& of_shape, size_t place) {
    const KernelProblem& problem = kind.problem;
    const Cut cut = cut_of(tile);
    if (of_shape.least.but_for_end(cut) > best_.limit()) return;
    Block block = of_shape.block;
    kind.blocks.set_drain(block, tile);
    if (of_shape.least(block, cut) > best_.limit()) return;
    kind.blocks.complete(block, tile);
    const Prediction expected = clocks(block, of_shape.grid, cut, law_.rates, law_.of);
    if (expected.clocks > best_.limit()) return;
    if (!has_its_instruction_) has_its_instruction_ = !has_instruction_ || has_instruction_(tile);
    if (!*has_its_instruction_) return;
    RankedTile ranked{expected.clocks, tile};
    if (is_generic_)
      ranked.tile.release = release_for(expected);
    else
      set_schedule(ranked.tile, expected, problem, device_);
    best_.add(std::move(ranked), is_generic_ ? place / kMostOfShape : place);
  }

  const DeviceInfo& device_;
  const HasInstruction& has_instruction_;
  FamilyLaw law_;
  const Config& config_;
  std::optional<EdgeRows> edge_wish_;
  std::optional<SplitK> reduction_;
  bool is_generic_;
  Fastest<RankedTile>& best_;
  std::vector<TilesOfShape> shapes_;
  std::optional<bool> has_its_instruction_;  ///< that which is looked at: asked where it matters
};

/// May D leave along the transposed kernel's M? Whole pieces of 16 bytes do, by subtiles.
bool may_be_swapped(const KernelProblem& problem) {
  const int piece = 16 / width_bytes(problem.d.type);
  return width_bytes(problem.d.type) == 2 && problem.d.access_bytes == 16 && problem.n.baked &&
         problem.n.value % piece == 0;
}

/// Is an output one value of many elements?
bool has_gathers(const KernelProblem& problem) {
  return std::ranges::any_of(problem.outputs,
                             [](const KernelOperand& output) {
                               return output.gather != EpilogueGather::elements;
                             }) ||
         names(problem.expression, EpilogueOp::block_amax);
}

SumsOf sums_of(const KernelProblem& problem, const Config& config) {
  if (promotion(problem, config) == 0) return SumsOf::all_k;
  return problem.a.scales || problem.b.scales ? SumsOf::scaled_runs : SumsOf::runs;
}

}  // namespace

std::optional<Tile> scheduled(const Tile& tile, const KernelProblem& problem,
                              const DeviceInfo& device) {
  constexpr int kMost = 1 << 16;  // beyond what shared memory, or a chip, has room for
  const std::span<const Band> bands = bands_of(tile.ping_pong);
  const auto band = std::ranges::find(bands, tile.m, &Band::m);
  const auto is_shared_out = [](int rows, int sharers) {
    return sharers > 0 && rows / kWidthStep >= sharers;
  };
  if (band == bands.end() || tile.n > band->most_n || tile.n % kWidthStep != 0 ||
      !is_shared_out(tile.n, tile.cluster.m) || !is_shared_out(tile.m, tile.cluster.n) ||
      tile.split_k < 1 || tile.split_k > kMost || tile.k_bytes < 1 || tile.k_bytes > kMost)
    return std::nullopt;
  Tile result = tile;
  result.stages = kRankedStages;
  set_schedule(result, expected_of(tile_cost(result, problem, device)), problem, device);
  return result;
}

void look_at_warpgroup_tiles(const KernelProblem& problem, const DeviceInfo& device,
                             const Config& config, bool are_shared,
                             const HasInstruction& has_instruction, Fastest<RankedTile>& best) {
  std::optional<bool> swapped = config.swapped;
  if (!swapped && config.reduction == SplitK::all_add) swapped = false;
  const SumsOf sums = sums_of(problem, config);
  const KernelProblem other = transposed(problem);
  const WarpgroupBlocks blocks(problem, device), other_blocks(other, device);
  const std::vector<ClusterRow> clusters = clusters_for(problem, config),
                                other_clusters = clusters_for(other, config);
  std::vector<Kind> kinds;
  const int first = config.ping_pong.value_or(1);
  const int last = config.ping_pong.value_or(has_gathers(problem) ? 1 : kMostPingPong);
  for (int at_once = first; at_once <= last; ++at_once) {
    if (!swapped.value_or(false))
      kinds.push_back({problem, blocks, sums, clusters, false, at_once});
    if (swapped.value_or(may_be_swapped(problem)))
      kinds.push_back({other, other_blocks, sums, other_clusters, true, at_once});
  }
  WarpgroupTiles tiles(device, config, has_instruction, are_shared, best);
  if (!are_shared)
    for (const Kind& kind : kinds) tiles.add_shapes(kind);
  else
    for (const SharedTile& row : shared_group_tiles(problem))
      for (const Kind& kind : kinds) tiles.add_shared(kind, row, may_be_swapped(problem));
  tiles.look();
}

}  // namespace jute::plan

// Waves, k-blocks, feed and epilogue of a tile in clocks.
#include "plan/cost_model.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/promotion.hpp"

namespace jute::plan {
namespace {

constexpr int kLine = 128;  // bytes of a k-block's row, and of what memory moves at once
constexpr int kMostStages = 12;
constexpr double kLaunch = 2000;  // from one kernel to the next
constexpr double kStart = 3000;   // until the first products
constexpr double kTensorRate =
    32 * 128;  // product bytes of an SM in a clock: 64 x 2 bytes a column
constexpr double kFeed = 72,
                 kBrokenFeed = 34;  // bytes into an SM in a clock: whole lines, cut ones
constexpr double kDram = 2400, kDramOfBlock = 21;  // bytes in a clock: of the chip, for one block
constexpr double kPastTheEdge = 0.5;               // of a row's cost, what TMA fills with zeros
constexpr double kTile = 350;                      // clocks of a tile, however many k-blocks it has
constexpr double kEpilogue = 17, kLongEpilogue = 13;  // elements of D in a clock; of two repeats
// Sums of slices: clocks to leave and count them, bytes that a block stores, and that the last one
// loads, in a clock.
constexpr double kMeet = 3500, kPartStores = 20, kPartLoads = 55;
constexpr double kSoon = 17500;  // clocks: below them starting early pays

/// Rows of a block by the groups of 64 that share it, the widths that their registers hold, and the
/// clocks that a k-block takes however few its products are: so much, and so much a column.
struct Band {
  int m, groups;
  int most_n, most_promoted_n;
  double clocks, clocks_a_column;
};
constexpr std::array kBands{Band{128, 2, 256, 192, 365, 1.1}, Band{256, 2, 200, 96, 430, 1.1},
                            Band{192, 3, 200, 112, 450, 1.1}, Band{64, 1, 256, 192, 225, 0.55}};
const Band& band_of(const GroupTile& tile) {
  const auto found = std::ranges::find(kBands, tile.m, &Band::m);
  return found == kBands.end() ? kBands.front() : *found;
}
/// At its power limit a chip runs slower the more each product reads from shared memory: by so much
/// for each row and column less, where its tensor cores never wait.
constexpr double kLongWork = 40000, kUsualReads = 1.0 / 128 + 1.0 / 256, kPower = 13;
constexpr int kWidthStep = 8;

/// Do rows of the operands begin at whole lines?
bool has_whole_lines(const KernelMatrix& matrix) {
  return matrix.ld.value * width_bytes(matrix.type) % kLine == 0;
}

/// Tiles that run together cover a square of D, roughly.
int raster_group(const GroupTile& tile, int blocks) {
  const double rows = std::sqrt(static_cast<double>(blocks) * tile.n / tile.m);
  return static_cast<int>(
      std::bit_floor(static_cast<unsigned>(std::max(1.0, rows * std::sqrt(2.0)))));
}

/// Where an operand is contiguous along mn, its boxes are as wide as the swizzle.
bool is_wide_enough(const KernelMatrix& matrix, int extent) {
  return matrix.major == Major::k || extent * width_bytes(matrix.type) % kLine == 0;
}

/// Of rows that tiles have and the problem has not.
double bytes_past_the_edge(const GroupTile& tile, const KernelProblem& problem) {
  const auto rows = [](Index extent, int of) { return ceil_div(extent, of) * of - extent; };
  const Index tiles_m = ceil_div(problem.m.value, tile.m),
              tiles_n = ceil_div(problem.n.value, tile.n);
  const Index all =
      rows(problem.m.value, tile.m) * tiles_n + rows(problem.n.value, tile.n) * tiles_m;
  return static_cast<double>(all * problem.batch.value) * static_cast<double>(problem.k.value) *
         width_bytes(problem.a.type);
}

/// From the last product of a tile's slices to their sum.
double clocks_to_meet(const GroupTile& tile, int width) {
  const double bytes = static_cast<double>(tile.m) * tile.n * width;
  return kMeet + bytes / kPartStores + bytes * tile.slices / kPartLoads;
}

/// Numbers of slices that are worth a look: so many that all run together, each with k-tiles to
/// fill its stages.
std::vector<int> slice_counts(const GroupTile& tile, const KernelProblem& problem,
                              const DeviceInfo& device) {
  constexpr int kLeastKBlocks = 6;
  std::vector<int> counts{1};
  if (problem.accumulate != DType::f32 && problem.accumulate != DType::s32) return counts;
  const Index tiles = ceil_div(problem.m.value, tile.m) * ceil_div(problem.n.value, tile.n) *
                      std::max<Index>(problem.batch.value, 1);
  const Index k_blocks = problem.k.value * width_bytes(problem.a.type) / kLine;
  const Index most =
      std::min(device.sm_count / std::max<Index>(tiles, 1), k_blocks / kLeastKBlocks);
  for (int count = 2; count <= most; count += std::max(1, count / 4)) counts.push_back(count);
  if (most > counts.back()) counts.push_back(static_cast<int>(most));
  return counts;
}

}  // namespace

double predicted_clocks(const GroupTile& tile, const KernelProblem& problem,
                        const DeviceInfo& device) {
  const int width = width_bytes(problem.a.type);
  const double k_blocks =
      std::ceil(std::ceil(static_cast<double>(problem.k.value) * width / kLine) / tile.slices);
  const Index cluster = blocks(tile.cluster);
  const Index slots = std::max<Index>(device.sm_count / cluster, 1);
  const Index clusters = ceil_div(problem.m.value, Index{tile.m} * tile.cluster.m) *
                         ceil_div(problem.n.value, Index{tile.n} * tile.cluster.n) *
                         problem.batch.value * tile.slices;
  const double waves = static_cast<double>(ceil_div(clusters, slots));
  const double area = static_cast<double>(tile.m) * tile.n;
  const bool whole = has_whole_lines(problem.a) && has_whole_lines(problem.b);
  const double feed = whole || cluster > 1 ? kFeed : kBrokenFeed;
  const double products = area * kLine / kTensorRate;
  const Band& band = band_of(tile);
  const double fed =
      std::max((tile.m + tile.n) * kLine / feed, band.clocks + band.clocks_a_column * tile.n);
  const double k_block = std::max(products, fed) + 6;
  const double bytes =
      static_cast<double>(problem.batch.value) *
      (static_cast<double>(problem.m.value + problem.n.value) *
           static_cast<double>(problem.k.value) * width +
       static_cast<double>(problem.m.value * problem.n.value) * width_bytes(problem.d.type));
  const double blocks = static_cast<double>(std::min(clusters, slots) * cluster);
  const double rate = std::min(kDram, blocks * kDramOfBlock), memory = bytes / rate;
  const double past_the_edge = kPastTheEdge * bytes_past_the_edge(tile, problem) / rate;
  double work =
      waves * (k_blocks * k_block + kTile + area / (tile.m > 192 ? kLongEpilogue : kEpilogue));
  if (work > kLongWork)
    work *= 1 + kPower * products / k_block * (1.0 / tile.m + 1.0 / tile.n - kUsualReads);
  // Where memory decides, the tile that leaves most of the time to it.
  const double meet = tile.slices > 1 ? clocks_to_meet(tile, width_bytes(problem.accumulate)) : 0;
  return kLaunch + kStart + std::max(work, memory + past_the_edge) + 0.02 * std::min(work, memory) +
         meet;
}

namespace {

struct Ranked {
  double clocks;
  GroupTile tile;
};

/// What blocks of the band's rows and of n columns do, but for slices.
GroupTile tile_of(const Band& band, int n, bool whole_lines, const DeviceInfo& device) {
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
  tile.raster_group = raster_group(tile, device.sm_count);
  return tile;
}

/// What tiles of one kind have in common.
struct Kind {
  bool promotes, swapped;
};

void add_tiles(std::vector<Ranked>& list, const KernelProblem& problem, const DeviceInfo& device,
               Kind kind) {
  // D along the kernel's M is somewhat slower to drain.
  const double penalty = kind.swapped ? 1.01 : 1;
  const bool whole_lines = has_whole_lines(problem.a) && has_whole_lines(problem.b);
  for (const Band& band : kBands)
    for (int n = kind.promotes ? band.most_promoted_n : band.most_n; n >= kWidthStep;
         n -= kWidthStep) {
      if (!is_wide_enough(problem.b, n) || !is_wide_enough(problem.a, std::min(band.m, 64)))
        continue;
      GroupTile tile = tile_of(band, n, whole_lines, device);
      tile.swapped = kind.swapped;
      for (const int slices : slice_counts(tile, problem, device)) {
        tile.slices = slices;
        const double clocks = penalty * predicted_clocks(tile, problem, device);
        tile.release = clocks < kSoon ? Release::at_start : Release::after_main_loop;
        list.push_back({clocks, tile});
      }
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
  const std::optional<bool>& swapped = config.swapped;
  const bool promotes = promotion(problem, config) > 0;
  std::vector<Ranked> list;
  if (!swapped.value_or(false)) add_tiles(list, problem, device, {promotes, false});
  if (swapped.value_or(may_be_swapped(problem)))
    add_tiles(list, transposed(problem), device, {promotes, true});
  std::ranges::stable_sort(list, {}, &Ranked::clocks);
  std::vector<GroupTile> best;
  for (size_t i = 0; i < std::min(most, list.size()); ++i) best.push_back(list[i].tile);
  return best;
}

}  // namespace jute::plan

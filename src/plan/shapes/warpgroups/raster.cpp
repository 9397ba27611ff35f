// Which tiles run side by side, by what blocks near each other load.
#include "plan/shapes/warpgroups/raster.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "plan/chip/line.hpp"
#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

double bytes_of(Index rows, Index columns, DType type) {
  return static_cast<double>(rows) * static_cast<double>(columns) * width_bytes(type);
}

/// Is D larger than the operands, all of which the cache keeps?
bool is_mostly_d(const KernelProblem& problem, const DeviceInfo& device) {
  const double operands =
      bytes_of(problem.m.value + problem.n.value, problem.k.value, problem.a.type);
  return operands <= bytes_of(problem.m.value, problem.n.value, problem.d.type) &&
         operands <= static_cast<double>(device.l2_bytes) / fitted::kPartOfCache;
}

/// Rows of both operands that the SMs of one part of the chip load, on which blocks begin one after
/// the other, where their tiles come from groups of so many rows of tiles.
double rows_together(const Tile& tile, Index rows, Index columns, Index group) {
  constexpr Index kSms = 16;
  const auto all = static_cast<double>(kSms), of_group = static_cast<double>(std::min(group, kSms));
  const double across =
      kSms % std::min(group, kSms) == 0 ? all / of_group : 1 + (all - 1) / of_group;
  if (static_cast<double>(columns) >= across) return of_group * tile.m + across * tile.n;
  const double along = std::min(all / static_cast<double>(columns), static_cast<double>(rows));
  return along * tile.m + static_cast<double>(columns) * tile.n;
}

/// Rows of tiles in a group, so that blocks that begin one after the other load few rows: one, or
/// all of them, or several in groups as even as can be, where products would wait for more rows.
int compact_group(const Tile& tile, const KernelProblem& problem) {
  constexpr Index kMostRows = 16;
  const Index rows = ceil_div(std::max<Index>(problem.m.value, 1), tile.m),
              columns = ceil_div(std::max<Index>(problem.n.value, 1), tile.n);
  const auto loaded = [&](Index group) {
    const Index last = rows % group;
    const double of_last = last > 0 ? rows_together(tile, rows, columns, last) : 0;
    return (static_cast<double>(rows - last) * rows_together(tile, rows, columns, group) +
            static_cast<double>(last) * of_last) /
           static_cast<double>(rows);
  };
  const bool is_one = rows == 1 || loaded(1) <= loaded(rows);
  std::pair best(std::min(loaded(1), loaded(rows)), is_one ? 1 : kMostRaster);
  const double alone = best.first;
  for (Index group = 2; group < std::min(rows, kMostRows + 1); ++group)
    if (const double together = loaded(group); together < best.first)
      best = {together, static_cast<int>(group)};
  const auto clocks = [&](double rows_of_part) {
    return std::max(clocks_of_products(tile.m, tile.n),
                    rows_of_part * kLine / fitted::kRasterBytes);
  };
  const double k_blocks =
      static_cast<double>(problem.k.value * width_bytes(problem.a.type)) / kLine / tile.split_k;
  const bool pays = k_blocks * (clocks(alone) - clocks(best.first)) > fitted::kRasterNumbering;
  return pays || alone == best.first ? best.second : is_one ? 1 : kMostRaster;
}

}  // namespace

bool is_walked(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  return tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value) >
         device.sm_count;
}

int raster_width(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  constexpr Index kMostRows = 32, kRowsOfD = 4, kFewColumns = 2;
  constexpr double kCachesOfD = 4;
  const Index rows = ceil_div(problem.m.value, tile.m);
  const auto all =
      static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::clamp<Index>(rows, 2, 1024))));
  if (!is_walked(tile, problem, device) && tile.ping_pong == 1) {
    if (blocks(tile.cluster) == 1) return compact_group(tile, problem);
    return problem.m.value > problem.n.value ? 1 : kMostRaster;
  }
  if (!tile.swapped && is_mostly_d(problem, device)) {
    // Rows of a D far beyond the cache are written from end to end.
    const double caches = bytes_of(problem.m.value, problem.n.value, problem.d.type) /
                          static_cast<double>(device.l2_bytes);
    return caches > kCachesOfD ? 1 : std::min(all, static_cast<int>(kRowsOfD));
  }
  const auto is_kept = [&](Index extent, DType type) {
    return bytes_of(extent, problem.k.value, type) <=
           static_cast<double>(device.l2_bytes) / fitted::kPartOfCache;
  };
  // The few tiles that read rows of the larger operand ask for them together.
  const Index columns = ceil_div(problem.n.value, tile.n);
  if (columns > 1 && columns <= kFewColumns && problem.m.value > problem.n.value &&
      blocks(tile.cluster) == 1 && is_kept(problem.n.value, problem.b.type))
    return 1;
  const bool keeps_a = is_kept(problem.m.value, problem.a.type);
  if (keeps_a && rows > 1 && rows <= kMostRows && problem.n.value > problem.m.value)
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(rows)));
  // Wider where little of D passes through the cache meanwhile, and where pairs share what they
  // load.
  const bool is_narrow = tile.ping_pong > 1 && is_direct(tile, problem);
  const double alone = is_narrow ? 0.5 : std::sqrt(2.0);
  const double wide = is_narrow && blocks(tile.cluster) > 1 ? 1 : alone;
  const double square = std::sqrt(static_cast<double>(device.sm_count) * tile.n / tile.m);
  const unsigned most = std::bit_ceil(static_cast<unsigned>(std::clamp<Index>(rows, 1, 1024)));
  return static_cast<int>(
      std::min(most, std::bit_floor(static_cast<unsigned>(std::max(1.0, square * wide)))));
}

}  // namespace jute::plan

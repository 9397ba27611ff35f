// Counts slices of K that the chip, the cache and a tile have room for.
#include "plan/shapes/warpgroups/slices.hpp"

#include <algorithm>
#include <array>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/kernel_problem.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

bool needs_whole_tiles(const KernelOperand& output) {
  return output.is_bits || output.gather != EpilogueGather::elements;
}

}  // namespace

int most_slices(const Tile& tile, const KernelProblem& problem, const DeviceInfo& device,
                const std::optional<SplitK>& asked) {
  const bool in_cluster = asked == SplitK::distributed;
  if (in_cluster && blocks(tile.cluster) > 1) return 1;
  const bool may_be_cut = tile.ping_pong == 1 && adds_as_one(problem.accumulate);
  if (!may_be_cut) return 1;
  const auto all = blocks_of({tile.m, tile.n}, tile.cluster, problem.m.value, problem.n.value,
                             problem.batch.value);
  const Index k_blocks = problem.k.value * width_bytes(problem.a.type) / kLine *
                         std::max<Index>(std::ssize(problem.products), 1);
  const int most =
      std::min(static_cast<int>(static_cast<double>(blocks_at_once(tile.cluster, device)) / all),
               static_cast<int>(k_blocks / fitted::kLeastKBlocks));
  return in_cluster ? std::min(most, kMostClusterBlocks) : most;
}

int slices_within_cache(const TileShape& tile, const KernelProblem& problem,
                        const DeviceInfo& device) {
  constexpr Index kLeastOfSlice = 64;  // of K
  const double sums = tiles_of(tile, problem.m.value, problem.n.value, problem.batch.value) *
                      tile.m * tile.n * width_bytes(problem.accumulate);
  const double held = fitted::kMostSumsInCache * static_cast<double>(device.l2_bytes) / sums;
  return static_cast<int>(std::min(held, static_cast<double>(problem.k.value / kLeastOfSlice)));
}

// All blocks where D lies along the kernel's N and takes elements alone. In a cluster of their own
// where clusters are so few that there is a place for any.
std::span<const SplitK> reductions_of(const Tile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device,
                                      const std::optional<SplitK>& asked) {
  static constexpr std::array kSplitKReductions{SplitK::all_add, SplitK::last_adds,
                                                SplitK::distributed};
  const std::span<const SplitK> all(kSplitKReductions);
  if (asked == SplitK::distributed) return all.last(1);
  const bool all_may =
      tile.split_k > 1 && !tile.swapped && std::ranges::none_of(problem.outputs, needs_whole_tiles);
  if (asked && (all_may || asked == SplitK::last_adds))
    return all.subspan(*asked == SplitK::all_add ? 0 : 1, 1);
  const auto has_place = [&] {
    const double tiles =
        tiles_of({tile.m, tile.n}, problem.m.value, problem.n.value, problem.batch.value);
    return tile.split_k <= kMostClusterBlocks &&
           tiles * tile.split_k * 2 <= fitted::kPlaces * device.sm_count;
  };
  const bool in_cluster = !asked && tile.split_k > 1 && blocks(tile.cluster) == 1 && has_place();
  return all.subspan(all_may ? 0 : 1, (all_may ? 2 : 1) + (in_cluster ? 1 : 0));
}

}  // namespace jute::plan

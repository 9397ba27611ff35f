#pragma once
// What SMs make of equal blocks that they share out, of which one sum is for all of an SM's and one
// for each in its turn.
#include <jute/launch/device_info.hpp>
#include <jute/plan/cost/prediction.hpp>

#include <algorithm>
#include <cmath>

namespace jute::plan {

/// Into `result`: waves, for `resident` blocks fit an SM, and what a k-block of one takes, where a
/// block's products take so long, and its turn. Returns the blocks of an SM.
inline double deal_out(Prediction& result, double blocks, double resident, double products,
                       double feed, const DeviceInfo& device) {
  const double of_sm = std::ceil(blocks / std::max(device.sm_count, 1));
  result.waves = result.ends = std::ceil(of_sm / std::min(resident, of_sm));
  result.products = of_sm / result.waves * products;
  result.feed = feed;
  result.k_block = std::max(result.products, feed);
  return of_sm;
}

/// Of a slice: the most that one has.
[[nodiscard]] inline double k_blocks_of(Index k, int tile_k, int slices) {
  return static_cast<double>(
      ceil_div(ceil_div(std::max<Index>(k, 1), Index{tile_k}), Index{slices}));
}

/// Of an SM in all waves: what its blocks issue, and what each waits for in turn.
[[nodiscard]] inline double issued(const Prediction& p) {
  return p.waves * (p.k_blocks * p.products + p.epilogue);
}
[[nodiscard]] inline double turns(const Prediction& p) {
  return p.waves * (p.k_blocks * p.feed + p.tile);
}

}  // namespace jute::plan

// Counts the registers that consumers take and producers leave.
#include "plan/derive/block/role_registers.hpp"

#include <jute/plan/values/carried_stages.hpp>

#include <algorithm>

#include "plan/chip/warp.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {
namespace {

/// A producer that asks TMA needs few; what it gives away consumers take.
RoleRegisters of_asking(int all, int groups) {
  constexpr int kMost = 240, kFew = 24, kEnough = 40;
  const int producer = groups == 2 ? kEnough : kFew;
  return {std::min(kMost, (all - producer) / groups / kRegisterUnit * kRegisterUnit), producer};
}
/// One that copies has many addresses at hand: all that consumers leave, beside their sums.
RoleRegisters of_copying(int all, int groups, int sums) {
  constexpr int kOwn = 56, kFew = 32;
  const int equal = all / (groups + 1), most = (all - kFew) / groups;
  const int consumer = std::clamp(sums + kOwn, equal, most) / kRegisterUnit * kRegisterUnit;
  return {consumer, (all - groups * consumer) / kRegisterUnit * kRegisterUnit};
}

/// A thread's, of a tile whose extents the rules have still to judge.
int sums_of(const GemmStep& step) {
  constexpr Index kRegisterBits = 32, kMost = 256;
  const TileShape tile = multiplied(step);
  const Index sums =
      Index{tile.m} * tile.n * width_bits(step.accumulate) / kRegisterBits / size(step.mma);
  return static_cast<int>(std::clamp<Index>(sums + promoted_registers(step, tile), 0, kMost));
}

}  // namespace

RoleRegisters role_registers(const GemmStep& step, int consumer_warps, int producer_warps,
                             int registers) {
  const int groups = consumer_warps / kGroupWarps;
  if (consumer_warps % kGroupWarps != 0 || groups < 2 || producer_warps != kGroupWarps) return {};
  // The block begins with equally many registers for each thread.
  const int threads = (consumer_warps + producer_warps) * kWarp;
  const int all = registers / threads / kRegisterUnit * kRegisterUnit * (groups + 1);
  return carries(step) ? of_copying(all, groups, sums_of(step)) : of_asking(all, groups);
}

}  // namespace jute::plan

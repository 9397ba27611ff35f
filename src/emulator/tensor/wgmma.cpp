// wgmma as it is issued, committed and waited for.
#include "emulator/async/queues.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/tensor/warp_product.hpp"

#include <utility>

namespace jute::emulator {

void run_wgmma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const Program& program = warp.block->program;
  const WgmmaUse& use = program.use_of<WgmmaUse>(instruction);
  WarpProduct product(warp, use, mask, ++warp.async.products);
  if (warp.watch.is_on())
    warp.watch.issue(warp, static_cast<std::uint32_t>(&instruction - program.code.data()), use,
                     product);
  if (warp.block->tracks_defined) {
    warp.block->warpgroups.issue(warp, product);
    Cluster& cluster = *warp.block->cluster;
    if (cluster.blocks.size() > 1) cluster.leading_offsets.issue(warp, product);
  }
  start_product(warp, std::move(product));
}

void run_fence_products(LaneState& lanes, const Instruction&, std::uint32_t) {
  static_cast<Warp&>(lanes).watch.fence();
}

void run_commit_products(LaneState& lanes, const Instruction&, std::uint32_t) {
  AsyncQueue& queue = static_cast<Warp&>(lanes).async;
  queue.product_groups.push_back(queue.products);
}

namespace {

constexpr int kGroupWarps = 4;

/// Calls visit(other) for the other warps of the warpgroup that have not ended.
template <class Visit>
void each_sibling(const Warp& warp, Visit visit) {
  const int first = warp.index / kGroupWarps * kGroupWarps;
  for (int index = first; index < first + kGroupWarps; ++index)
    if (index != warp.index && static_cast<size_t>(index) < warp.block->warps.size())
      if (Warp& other = warp.block->warps[static_cast<size_t>(index)]; !other.is_done())
        visit(other);
}

}  // namespace

// A product is one of four warps: it has not begun before each has issued it.
bool are_products_issued(const Warp& warp, const Instruction& instruction) {
  const std::deque<std::uint32_t>& groups = warp.async.product_groups;
  if (groups.size() <= instruction.bits) return true;
  const std::uint32_t last = groups[groups.size() - instruction.bits - 1];
  bool issued = true;
  each_sibling(warp, [&](const Warp& other) { issued &= other.async.products >= last; });
  return issued;
}

// And it ends for all four together: who has waited for it knows that none of them reads its
// operands any more. D is each warp's own, to be read behind its own wait. Instruction::bits: how
// many of the newest committed groups may stay on their way. What is not committed is in none of
// them, and stays too.
void run_wait_products(LaneState& lanes, const Instruction& instruction, std::uint32_t) {
  auto& warp = static_cast<Warp&>(lanes);
  std::deque<std::uint32_t>& groups = warp.async.product_groups;
  for (; groups.size() > instruction.bits; groups.pop_front()) {
    finish_products(warp, groups.front());
    warp.watch.retire(groups.front());
    RaceDetector* const races = warp.block->races.get();
    if (races != nullptr) races->retire(warp, warp.index, Agent::product, groups.front());
    each_sibling(warp, [&](Warp& other) {
      finish_products(other, groups.front());
      if (races != nullptr) races->retire(warp, other.index, Agent::product, groups.front());
    });
  }
}

}  // namespace jute::emulator

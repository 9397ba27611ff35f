// wgmma as it is issued, committed and waited for.
#include "emulator/machine.hpp"
#include "emulator/warp_product.hpp"

#include <utility>

namespace jute::emulator {

void run_wgmma(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const Program& program = warp.block->program;
  const WgmmaUse& use = program.wgmmas[instruction.extra];
  WarpProduct product(warp, use, mask, ++warp.async.products);
  if (warp.watch.is_on())
    warp.watch.issue(warp, static_cast<std::uint32_t>(&instruction - program.code.data()), use,
                     product);
  start_product(warp, std::move(product));
}

void run_fence_products(LaneState& lanes, const Instruction&, std::uint32_t) {
  static_cast<Warp&>(lanes).watch.fence();
}

void run_commit_products(LaneState& lanes, const Instruction&, std::uint32_t) {
  AsyncQueue& queue = static_cast<Warp&>(lanes).async;
  queue.product_groups.push_back(queue.products);
}

// Instruction::bits: how many of the newest committed groups may stay on their way. What is not
// committed is in none of them, and stays too.
void run_wait_products(LaneState& lanes, const Instruction& instruction, std::uint32_t) {
  auto& warp = static_cast<Warp&>(lanes);
  std::deque<std::uint32_t>& groups = warp.async.product_groups;
  for (; groups.size() > instruction.bits; groups.pop_front()) {
    finish_products(warp, groups.front());
    warp.watch.retire(groups.front());
    if (warp.block->races) warp.block->races->retire(warp, Role::product, groups.front());
  }
}

}  // namespace jute::emulator

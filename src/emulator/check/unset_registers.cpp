// Set-masks of registers, kept for those only that are not set on every path.
#include "emulator/check/unset_registers.hpp"

#include "base/format.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>

namespace jute::emulator {
void check_unset(Warp& warp, std::uint32_t pc, std::uint32_t mask, std::uint32_t active) {
  const Program& program = warp.block->program;
  const auto entry = std::lower_bound(
      program.unset.begin(), program.unset.end(), pc,
      [](const auto& candidate, std::uint32_t place) { return candidate.first < place; });
  for (const UnsetTracking::Read& read : entry->second.reads) {
    std::uint32_t unset = (read.is_guard ? active : mask) & ~read_predicate(warp, read.mask);
    if (read.only_if != kNoSlot) unset &= read_predicate(warp, read.only_if);
    if (read.except_if != kNoSlot) unset &= ~read_predicate(warp, read.except_if);
    if ((unset & ~warp.watch.poisoned(read.slot)) == 0) continue;
    warp.watch.poison(
        warp, read.slot, {unset, kWholeLane},
        PoisonCause{warp.current->origin,
                    base::format("register that was never set, {}", read.name), true});
  }
  for (const Slot slot : entry->second.writes) write_predicate(warp, slot, mask, mask);
}

}  // namespace jute::emulator

// Set-masks of registers, kept for those only that are not set on every path.
#include "emulator/unset_registers.hpp"

#include "base/format.hpp"
#include "emulator/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {

std::uint32_t read_mask(const Warp& warp, Slot slot) {
  std::uint32_t bits;
  std::memcpy(&bits, warp.at(slot), sizeof(bits));
  return bits;
}

}  // namespace

void check_unset(Warp& warp, std::uint32_t pc, std::uint32_t mask) {
  const Program& program = warp.block->program;
  const auto entry = std::lower_bound(
      program.unset.begin(), program.unset.end(), pc,
      [](const auto& candidate, std::uint32_t place) { return candidate.first < place; });
  for (const UnsetTracking::Read& read : entry->second.reads) {
    std::uint32_t unset = mask & ~read_mask(warp, read.mask);
    if (read.only_if != kNoSlot) unset &= read_mask(warp, read.only_if);
    if (unset == 0) continue;
    warp.block->find("M3", warp, std::countr_zero(unset), [&] {
      return base::format("register {} is read and was never set", read.name);
    });
  }
  for (const Slot slot : entry->second.writes) {
    const std::uint32_t bits = read_mask(warp, slot) | mask;
    std::memcpy(warp.at(slot), &bits, sizeof(bits));
  }
}

}  // namespace jute::emulator

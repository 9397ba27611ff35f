// The part of each thread's local memory that alloca hands out.
#include "base/format.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <cstring>

namespace jute::emulator {

void run_alloca(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  Block& block = *warp.block;
  const auto begin = static_cast<std::uint64_t>(block.program.stack_begin);
  for (const int lane : lanes_of(mask)) {
    const std::uint64_t size = read_lane(warp, instruction.src[0], lane, 8);
    std::uint32_t& top = warp.stack[static_cast<size_t>(lane)];
    const std::uint64_t align = instruction.bits;
    const std::uint64_t at = (begin + top + align - 1) / align * align - begin;
    if (at > kStackBytes || size > kStackBytes - at) {
      block.find("M1", warp, lane, [&] {
        return base::format("alloca of {} bytes: a thread has {} for them, and {} are in use", size,
                            kStackBytes, top);
      });
      block.aborted = true;
      return;
    }
    top = static_cast<std::uint32_t>(at + size);
    write_lane(warp, instruction.dst, lane, begin + at, 8);
    if (warp.local_defined.empty()) continue;
    const auto place = static_cast<size_t>(lane) * static_cast<size_t>(block.program.local_bytes);
    std::fill_n(warp.local_defined.begin() + static_cast<std::ptrdiff_t>(place + begin + at), size,
                kNeverWritten);
  }
}

void run_stack_save(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  for (const int lane : lanes_of(mask))
    write_lane(warp, instruction.dst, lane, warp.stack[static_cast<size_t>(lane)], 8);
}

void run_stack_restore(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  for (const int lane : lanes_of(mask)) {
    std::uint32_t& top = warp.stack[static_cast<size_t>(lane)];
    const std::uint64_t mark = read_lane(warp, instruction.src[0], lane, 8);
    top = static_cast<std::uint32_t>(std::min<std::uint64_t>(mark, top));
  }
}

}  // namespace jute::emulator

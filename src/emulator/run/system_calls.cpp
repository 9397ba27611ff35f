// Functions that the driver provides to kernels: assert, printf, malloc and free.
#include "base/format.hpp"
#include "emulator/run/collectives.hpp"
#include "emulator/run/device_printf.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <cstring>

namespace jute::emulator {
namespace {

constexpr size_t kMostCharacters = size_t{1} << 16;

/// One lane's call.
class LaneCall {
 public:
  LaneCall(Warp& warp, const SystemCall& use, int lane)
      : warp_(warp), block_(*warp.block), use_(use), lane_(lane) {}

  void run() {
    switch (use_.function) {
      case SystemFunction::assert_fail:
        return fail();
      case SystemFunction::print:
        return print();
      case SystemFunction::allocate:
        return give(block_.launch.memory.allocate_on_device(argument(0)));
      case SystemFunction::release:
        return release();
    }
  }

 private:
  void fail() {
    block_.find("X3", warp_, lane_, [&] {
      return base::format("assertion `{}` failed, {}:{}, in {}", string(argument(0)),
                          string(argument(1)), argument(2, 4), string(argument(3)));
    });
    block_.aborted = true;
  }

  void print() {
    const std::uint64_t packed = argument(1);
    PrintfMemory memory;
    memory.argument = [&](Index offset, int bytes) {
      return read(Space::generic, packed + static_cast<std::uint64_t>(offset), bytes);
    };
    memory.text = [&](std::uint64_t address) { return std::optional(string(address)); };
    const PrintfResult result = format_printf(string(argument(0)), memory);
    block_.findings.print(block_.linear, result.text);
    give(static_cast<std::uint64_t>(result.arguments));
  }

  void release() {
    const std::uint64_t pointer = argument(0);
    if (pointer == 0 || block_.launch.memory.release_on_device(pointer)) return;
    block_.find("M7", warp_, lane_, [&] {
      return base::format("free of {:#x}, which no malloc of a kernel gave or which is free: {}",
                          pointer, block_.launch.memory.describe(pointer));
    });
  }

  [[nodiscard]] std::uint64_t argument(size_t index, int bytes = 8) {
    return read(Space::local, static_cast<std::uint64_t>(use_.arguments[index]), bytes).value_or(0);
  }
  [[nodiscard]] std::optional<std::uint64_t> read(Space space, std::uint64_t address, int bytes) {
    MemoryAccess access;
    access.space = space;
    access.offset = static_cast<Index>(address);
    Resolved where;
    resolve(warp_, access, bytes, 1U << lane_, AccessKind::load, where);
    if (where.ok == 0) return std::nullopt;
    if (where.tracks_defined) check_defined(warp_, access, bytes, where);
    std::uint64_t value = 0;
    std::memcpy(&value, where.data[static_cast<size_t>(lane_)], static_cast<size_t>(bytes));
    return value;
  }
  [[nodiscard]] std::string string(std::uint64_t address) {
    std::string text;
    while (text.size() < kMostCharacters) {
      const auto character = read(Space::generic, address++, 1);
      if (!character || *character == 0) break;
      text += static_cast<char>(*character);
    }
    return text;
  }
  void give(std::uint64_t value) {
    if (use_.result < 0) return;
    MemoryAccess access;
    access.space = Space::local;
    access.offset = use_.result;
    const int bytes = use_.function == SystemFunction::print ? 4 : 8;
    Resolved where;
    resolve(warp_, access, bytes, 1U << lane_, AccessKind::store, where);
    if (where.ok == 0) return;
    if (where.tracks_defined) set_defined(bytes, where);
    std::memcpy(where.data[static_cast<size_t>(lane_)], &value, static_cast<size_t>(bytes));
  }

  Warp& warp_;
  Block& block_;
  const SystemCall& use_;
  int lane_;
};

}  // namespace

std::string describe_trap(const LaunchContext& launch) {
  std::string text = "trap: the kernel stopped itself";
  if (launch.program.uses_grid_workspace && launch.grid_workspace == 0)
    text += "; its grid.sync needs a cooperative launch";
  return text;
}

void run_system_call(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const SystemCall& use = warp.block->program.use_of<SystemCall>(instruction);
  ++warp.effects;
  for (const int lane : lanes_of(mask)) LaneCall(warp, use, lane).run();
}

}  // namespace jute::emulator

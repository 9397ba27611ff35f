// Facts about the bytes that an access touches: never written, on their way, or written.
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.hpp"

namespace jute::emulator {

const char* space_name(Space space) {
  switch (space) {
    case Space::generic:
      return "generic";
    case Space::global:
      return "global";
    case Space::shared:
      return "shared";
    case Space::local:
      return "local";
    case Space::param:
      return "parameter";
    case Space::constant:
      return "constant";
  }
  return "";
}
void check_defined(Warp& warp, const MemoryAccess& access, int bytes, const Resolved& where) {
  if (is_all_written(where, bytes)) return;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::byte* const defined = where.defined[static_cast<size_t>(lane)];
    if (((where.ok >> lane) & 1) == 0 || defined == nullptr) continue;
    int first = 0;
    while (first < bytes && (defined[first] == kWritten || ((access.needed >> first) & 1) == 0))
      ++first;
    if (first == bytes) continue;
    const bool on_its_way = defined[first] == kOnItsWay;
    warp.block->find(on_its_way ? "R9" : "M3", warp, lane, [&] {
      return base::format(
          "load of {} bytes of {} memory whose byte {} {}", bytes, space_name(access.space), first,
          on_its_way ? "an asynchronous copy is still writing" : "was never written");
    });
  }
}

bool is_all_written(const Resolved& where, int bytes) {
  constexpr std::uint64_t kAll = 0x0101010101010101ULL;
  std::uint64_t all = kAll;
  for (std::uint32_t rest = where.ok; rest != 0; rest &= rest - 1) {
    const std::byte* const defined = where.defined[static_cast<size_t>(std::countr_zero(rest))];
    if (defined == nullptr) continue;
    for (int at = 0; at < bytes; at += 8) {
      std::uint64_t here = kAll;
      std::memcpy(&here, defined + at, static_cast<size_t>(std::min(8, bytes - at)));
      all &= here;
    }
  }
  return all == kAll;
}
std::uint32_t undefined_lanes(Warp& warp, const Resolved& where, const LoadedPart& part) {
  std::uint32_t undefined = 0;
  for (int lane = 0; lane < kWarpLanes; ++lane) {
    const std::byte* const defined = where.defined[static_cast<size_t>(lane)];
    if (((where.ok >> lane) & 1) == 0 || defined == nullptr) continue;
    for (int at = part.first; at < part.first + part.bytes; ++at) {
      if (((part.needed >> at) & 1) == 0 || defined[at] == kWritten) continue;
      undefined |= 1U << lane;
      if (defined[at] != kOnItsWay) continue;
      undefined &= ~(1U << lane);
      warp.block->find("R9", warp, lane, [&] {
        return base::format(
            "byte {} of a load is one that an asynchronous copy is still writing: "
            "wait for its group or mbarrier first",
            at);
      });
      break;
    }
  }
  return undefined;
}
LaneBytes undefined_bytes(const Resolved& where, const LoadedPart& part, std::uint32_t lanes) {
  LaneBytes bytes = 0;
  for (size_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::byte* const defined = where.defined[lane];
    if ((lanes >> lane & 1) == 0 || defined == nullptr) continue;
    for (int at = 0; at < part.bytes; ++at)
      if ((part.needed >> (part.first + at) & 1) != 0 && defined[part.first + at] != kWritten)
        bytes |= static_cast<LaneBytes>(1U << at);
  }
  return bytes;
}
std::string describe_undefined(const MemoryAccess& access, int bytes) {
  return base::format("load of {} bytes of {} memory that were never all written", bytes,
                      space_name(access.space));
}

void set_defined(int bytes, const Resolved& where) {
  for (const size_t lane : lanes_of(where.ok))
    if (where.defined[lane] != nullptr) std::fill_n(where.defined[lane], bytes, kWritten);
}

}  // namespace jute::emulator

#pragma once
// What the text of kernels differs in by their main loop: the only place that asks which one it is.
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace jute::codegen {

/// The frame that a kernel is written in, a row of the table in generate.cpp.
enum class KernelFrame : std::uint8_t { straight, staged, specialised };

/// Who drains a tile of D.
enum class Drainers : std::uint8_t { block, groups };

/// Where a block finds how many tiles there are.
enum class TilesFrom : std::uint8_t { grid, parameters, schedule };

struct Family {
  MainLoop main_loop;
  KernelFrame frame;
  Drainers drainers;
  TilesFrom tiles;
};
// clang-format off
inline constexpr std::array kFamilies{
    Family{MainLoop::straight,         KernelFrame::straight,    Drainers::block,  TilesFrom::grid},
    Family{MainLoop::register_staged,  KernelFrame::staged,      Drainers::block,  TilesFrom::parameters},
    Family{MainLoop::multistage,       KernelFrame::staged,      Drainers::block,  TilesFrom::parameters},
    Family{MainLoop::warp_specialised, KernelFrame::specialised, Drainers::groups, TilesFrom::schedule},
};
// clang-format on

[[nodiscard]] inline const Family& family_of(const GemmStep& step) {
  return *std::ranges::find(kFamilies, step.schedule.main_loop, &Family::main_loop);
}

}  // namespace jute::codegen

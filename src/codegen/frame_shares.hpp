#pragma once
// How kernels' text differs by their frame: who drains, who knows how many tiles there are.
#include <jute/plan/values/plan.hpp>

#include <array>
#include <cstdint>

namespace jute::codegen {

/// Who drains a tile of D.
enum class Drainers : std::uint8_t { block, groups };

/// Where a block finds how many tiles there are.
enum class TilesFrom : std::uint8_t { grid, parameters, schedule };

struct FrameShares {
  Drainers drainers;
  TilesFrom tiles;
};
/// In the order of frames.
inline constexpr std::array kShares{
    FrameShares{Drainers::block, TilesFrom::grid},        // straight
    FrameShares{Drainers::block, TilesFrom::parameters},  // staged
    FrameShares{Drainers::groups, TilesFrom::schedule},   // specialised
};

/// The frame of the kernel's family, by its place in tables.
[[nodiscard]] inline size_t frame_of(const GemmStep& step) {
  return static_cast<size_t>(row_of(step.family).frame);
}
[[nodiscard]] inline const FrameShares& shares_of(const GemmStep& step) {
  return kShares.at(frame_of(step));
}

}  // namespace jute::codegen

#pragma once
// Lanes of a warp that move together: which of them goes on, and where they join.
#include "emulator/machine.hpp"

#include <cstdint>
#include <vector>

namespace jute::emulator {

inline constexpr std::uint32_t kNoStop = 0xFFFFFFFFU;

/// Fragments at the same place go on as one.
void merge_fragments(std::vector<Fragment>& fragments);
/// The one that goes on: the least tired, then the innermost call, then the lowest place, as joins
/// lie further on. Where all wait for each other one goes on without them. -1: none can.
[[nodiscard]] int pick_fragment(std::vector<Fragment>& fragments);
/// The nearest place ahead where another fragment stands; kNoStop if there is none.
[[nodiscard]] std::uint32_t next_join(const std::vector<Fragment>& fragments, size_t index);

}  // namespace jute::emulator

#pragma once
// Lanes of a warp that move together: which of them goes on, and where they join.
#include "emulator/run/machine.hpp"

#include <cstdint>
#include <vector>

namespace jute::emulator {

inline constexpr std::uint32_t kNoStop = 0xFFFFFFFFU;

/// Groups at the same place go on as one.
void merge_groups(std::vector<LaneGroup>& groups);
/// The one that goes on: of those that do not rest the least tired, then the innermost call, then
/// the lowest place, as joins lie further on. Where all wait for each other one goes on without
/// them. -1: none can.
[[nodiscard]] int pick_group(std::vector<LaneGroup>& groups);
/// Do all that can run poll in vain?
[[nodiscard]] bool all_rest(const std::vector<LaneGroup>& groups);
/// The nearest place ahead where another group stands; kNoStop if there is none.
[[nodiscard]] std::uint32_t next_join(const std::vector<LaneGroup>& groups, size_t index);

}  // namespace jute::emulator

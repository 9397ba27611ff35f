#pragma once
// Stamps of a kernel as a table and as a timeline.
#include <jute/plan/derive/stamps.hpp>

#include <string>
#include <vector>

namespace jute::command {

/// `block,role,moment,clock`, a line a stamp.
[[nodiscard]] std::string stamps_csv(const std::vector<StampLane>& lanes);

/// Lanes of the first `most_blocks` blocks, a bar from each stamp to the next in the colour of what
/// happens then; each block from its own first clock on. Of a clock of so many MHz the axis has ns,
/// a tick each 100 or as many of those as ten ticks need; of none clocks, and no ticks.
[[nodiscard]] std::string stamps_svg(const std::vector<StampLane>& lanes, double mhz = 0,
                                     int most_blocks = 8);

}  // namespace jute::command

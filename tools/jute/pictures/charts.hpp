#pragma once
// What happens when, and who has what, as pictures: ranks, blocks, roles of a kernel.
#include <jute/dist/distributed_plan.hpp>
#include <jute/draw/picture.hpp>
#include <jute/plan/derive/stamps.hpp>
#include <jute/plan/run/group_deal.hpp>

#include <string>
#include <vector>

namespace jute::command {

/// A bar for each step on its lane, as the plan expects them; an axis in us.
[[nodiscard]] std::string lanes_svg(const DistributedPlan& plan);
/// A line for each step: lane, begin and end in us, a bar of characters, name.
[[nodiscard]] std::string lanes_text(const DistributedPlan& plan);

/// The ranks as threads T, their elements as values V, over a matrix of so many rows and columns;
/// rounded up where parts are uneven.
///   throws  what distribution throws; wrong_type: the placement is not of one matrix
[[nodiscard]] Picture placement_picture(const std::string& mesh, const std::string& placement,
                                        int rows, int columns);

/// A self-contained SVG document: a row for each block, a box for each tile, a colour for each
/// group, in turn.
[[nodiscard]] std::string to_svg(const GroupDeal& deal);

/// `block,role,moment,clock`, a line a stamp.
[[nodiscard]] std::string stamps_csv(const std::vector<StampLane>& lanes);

/// Lanes of the first `most_blocks` blocks, a bar from each stamp to the next in the colour of what
/// happens then; each block from its own first clock on. Of a clock of so many MHz the axis has ns,
/// a tick each 100 or as many of those as ten ticks need; of none clocks, and no ticks.
[[nodiscard]] std::string stamps_svg(const std::vector<StampLane>& lanes, double mhz = 0,
                                     int most_blocks = 8);

}  // namespace jute::command

#pragma once
// How tiles of groups are dealt, as a picture: blocks over time.
#include <jute/plan/run/group_deal.hpp>

#include <string>

namespace jute::command {

/// A self-contained SVG document: a row for each block, a box for each tile, a colour for each
/// group, in turn.
[[nodiscard]] std::string to_svg(const GroupDeal& deal);

}  // namespace jute::command

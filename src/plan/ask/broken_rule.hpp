#pragma once
// How a rule of a plan says that it is broken.
#include <jute/base/error.hpp>
#include <jute/base/types.hpp>
#include <jute/layout/layout.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::plan {

using Errors = std::vector<Error>;

/// An illegal_config: the choice, its value, what must hold, the nearest value for which it does.
[[nodiscard]] Error broken(std::string operand, std::string value, std::string rule,
                           std::optional<std::string> nearest = std::nullopt);

/// The positive multiple of `unit` that lies nearest.
[[nodiscard]] Index nearest_multiple(Index value, Index unit);

/// Coordinates of a layout of the caller's, or of one mode of it; `most + 1` when there are more,
/// so that nothing overflows.
[[nodiscard]] Index bounded_size(const layout::LayoutView& layout, Index most);

/// Throws all of them as one illegal_config; the first gives operand, value and nearest legal
/// value.
[[noreturn]] void refuse(const Errors& errors);

}  // namespace jute::plan

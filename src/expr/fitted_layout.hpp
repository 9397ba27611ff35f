#pragma once
// A layout out of samples.
#include <jute/layout/swizzle.hpp>

#include <optional>
#include <vector>

namespace jute::expr {

struct FittedLayout {
  ComposedLayout layout;
  Index offset = 0;  ///< of the first sample
};

/// The layout, alone or behind one swizzle, whose offsets in their order are the samples: with as
/// few modes as there can be. Nothing where there is none.
[[nodiscard]] std::optional<FittedLayout> fitted_layout(const std::vector<Index>& offsets);

}  // namespace jute::expr

#pragma once
// Clocks of copies of operands ahead of a kernel.
#include <jute/plan/cost/kernel_cost.hpp>

namespace jute::plan {

/// The clocks of copies that move so many bytes.
[[nodiscard]] double clocks_of_moves(const MovedBytes& moved, Index m, Index batch);
/// A kernel's, with those.
[[nodiscard]] Prediction with_moves(Prediction prediction, const MovedBytes& moved, Index m,
                                    Index batch);

}  // namespace jute::plan

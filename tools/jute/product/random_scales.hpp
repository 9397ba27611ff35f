#pragma once
// Scales and zero points from a seed.
#include "product/gemm_data.hpp"

namespace jute::command {

/// Those that a completed problem has. Scales are positive, with Fill::integers powers of two; zero
/// points are small whole numbers. The same seed gives the same bytes everywhere.
[[nodiscard]] ScaleData random_scales(const Problem& problem, std::uint64_t seed, Fill fill);

}  // namespace jute::command

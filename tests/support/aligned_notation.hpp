#pragma once
// Contractions and convolutions whose arrays lie as TMA needs them.
#include "support/plain_convolution.hpp"
#include "support/random_contraction.hpp"

namespace jute::test {

/// Of two operands in C order; extents are multiples of 8. The same seed gives the same one
/// everywhere.
[[nodiscard]] RandomContraction aligned_contraction(std::uint64_t seed);
/// Of channels and features that are multiples of 8, mostly last.
[[nodiscard]] Convolution aligned_convolution(std::uint64_t seed);

}  // namespace jute::test

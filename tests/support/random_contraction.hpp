#pragma once
// Random texts of contractions with small arrays of whole numbers, which lie in memory in any
// order.
#include <jute/plan/notation/contraction_modes.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "support/plain_einsum.hpp"

namespace jute::test {

struct RandomContraction {
  std::string text;
  std::vector<StridedArray> operands;
  /// What lies in memory, gaps included, and the same elements in C order.
  std::vector<std::vector<double>> memory;
  std::vector<PlainArray> plain;
};

/// What random texts may be made of.
struct ContractionLimits {
  Index most_operands = 2;
  Index most_letters = 6;       ///< of a text
  Index most_extent = 5;        ///< of a letter
  Index most_products = 20000;  ///< of all letters' extents
};

/// The same seed gives the same one everywhere.
[[nodiscard]] RandomContraction random_contraction(std::uint64_t seed,
                                                   const ContractionLimits& limits = {});

}  // namespace jute::test

#pragma once
// One instruction on random operands, special values among them, on two back ends: their results
// must have the same bits.
#include <jute/gemm/context.hpp>

#include <string>
#include <vector>

namespace jute::test {

/// How the results of one atom compare.
struct ProductComparison {
  std::string atom;
  Index outputs = 0;
  Index different = 0;
  std::string first;   ///< the first difference; empty when there is none
  std::string reason;  ///< why it was not compared; empty when it was
  [[nodiscard]] bool is_equal() const { return reason.empty() && different == 0; }
};

/// Each atom for at least `outputs` values of D; threads prepare, each back end executes one at a
/// time. Operands follow from `seed` alone.
[[nodiscard]] std::vector<ProductComparison> compare_products(Context& left, Context& right,
                                                              const std::vector<std::string>& atoms,
                                                              Index outputs, std::uint64_t seed);

/// Those that are not equal, one a line, and how many outputs were.
[[nodiscard]] std::string to_string(const std::vector<ProductComparison>& comparisons);

}  // namespace jute::test

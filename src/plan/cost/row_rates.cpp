// Rows by rates that were measured on an H200.
#include "plan/cost/row_rates.hpp"

#include <algorithm>
#include <bit>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/tile_rates.hpp"
#include "plan/shapes/warpgroup_ways.hpp"

namespace jute::plan {
size_t halvings_of_line(const KernelMatrix& matrix) {
  constexpr int kByteBits = 8;
  const Index bits = width_bits(matrix.stored ? matrix.stored->type : matrix.type);
  const auto within = static_cast<unsigned>(matrix.ld.value * bits / kByteBits % kLine);
  const int halvings = std::countr_zero(unsigned{kLine}) - std::countr_zero(within | kLine);
  return std::min(static_cast<size_t>(halvings), fitted::kRow.size() - 1);
}

double clocks_that_hide(Index m, Index n, const KernelProblem& problem) {
  return fitted::kHidden * products_of_tile(problem) * clocks_of_products(m, n) / problem.a.terms;
}

double clocks_of_row(const KernelMatrix& matrix) { return fitted::kRow[halvings_of_line(matrix)]; }

bool is_felt(double feed, Index m, Index n, const KernelProblem& problem) {
  return feed > clocks_that_hide(m, n, problem);
}

}  // namespace jute::plan

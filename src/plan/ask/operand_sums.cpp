// The table of operand sums, looked up.
#include "plan/ask/operand_sums.hpp"

#include <algorithm>
#include <array>

namespace jute::plan {
namespace {

constexpr std::array kSums{
    SumRow{EpilogueOp::a_sum, "a_sum", "sum_a", TensorRole::a, EpilogueExtent::rows},
    SumRow{EpilogueOp::b_sum, "b_sum", "sum_b", TensorRole::b, EpilogueExtent::columns}};

}  // namespace

bool names_op(const std::optional<Epilogue>& epilogue, EpilogueOp op) {
  return epilogue && jute::names(epilogue->expression, op);
}

std::vector<SumRow> sums_named(const Problem& problem) {
  std::vector<SumRow> rows;
  for (const SumRow& row : kSums)
    if (names_op(problem.epilogue, row.op)) rows.push_back(row);
  return rows;
}

std::size_t sum_count(const EpilogueExpression& expression) {
  return static_cast<std::size_t>(std::ranges::count_if(
      kSums, [&](const SumRow& row) { return jute::names(expression, row.op); }));
}

}  // namespace jute::plan

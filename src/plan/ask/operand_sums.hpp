#pragma once
// Sums of operands over K that an epilogue names.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace jute::plan {

/// One that an epilogue may name: its name there, the region where it lies, whose sum it is.
struct SumRow {
  EpilogueOp op;
  std::string_view name, region;
  TensorRole tensor;
  EpilogueExtent extent;
};

inline constexpr std::array kSums{
    SumRow{EpilogueOp::a_sum, "a_sum", "sum_a", TensorRole::a, EpilogueExtent::rows},
    SumRow{EpilogueOp::b_sum, "b_sum", "sum_b", TensorRole::b, EpilogueExtent::columns}};

/// Does the epilogue, if there is one, name it?
[[nodiscard]] inline bool names_op(const std::optional<Epilogue>& epilogue, EpilogueOp op) {
  return epilogue && jute::names(epilogue->expression, op);
}
/// The sums that the problem's epilogue names.
[[nodiscard]] inline std::vector<SumRow> sums_named(const Problem& problem) {
  std::vector<SumRow> rows;
  for (const SumRow& row : kSums)
    if (names_op(problem.epilogue, row.op)) rows.push_back(row);
  return rows;
}
/// How many sums the epilogue names.
[[nodiscard]] inline std::size_t sum_count(const EpilogueExpression& expression) {
  return static_cast<std::size_t>(std::ranges::count_if(
      kSums, [&](const SumRow& row) { return jute::names(expression, row.op); }));
}

}  // namespace jute::plan

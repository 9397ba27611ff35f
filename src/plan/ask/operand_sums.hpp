#pragma once
// Sums of operands over K that an epilogue names.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <cstddef>
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

/// Does the epilogue, if there is one, name it?
[[nodiscard]] bool names_op(const std::optional<Epilogue>& epilogue, EpilogueOp op);
/// Those that the problem's names.
[[nodiscard]] std::vector<SumRow> sums_named(const Problem& problem);
/// How many sums the epilogue names.
[[nodiscard]] std::size_t sum_count(const EpilogueExpression& expression);

}  // namespace jute::plan

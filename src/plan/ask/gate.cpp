// Which columns of B are a gate's: as a word, and read off a View.
#include "plan/ask/gate.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <array>

#include "base/format.hpp"
#include "plan/ask/view_modes.hpp"

namespace jute {
namespace {

constexpr std::array<std::string_view, 2> kColumnWords{"halves", "pairs"};

}  // namespace

std::string_view name(GateColumns columns) {
  return kColumnWords.at(static_cast<std::size_t>(columns));
}

GateColumns parse_gate_columns(std::string_view text) {
  const auto found = std::ranges::find(kColumnWords, text);
  if (found != kColumnWords.end()) return static_cast<GateColumns>(found - kColumnWords.begin());
  const std::vector<std::string> known(kColumnWords.begin(), kColumnWords.end());
  refuse(ErrorCode::unknown_name, "gate", std::string(text),
         "the columns of a gate must be one of: " + joined(known), nearest_name(text, known));
}

namespace plan {
namespace {

/// Columns two by two, which a View counts the gate's ahead of the others: where the first lies.
struct PairsOfColumns {
  Index step = 0;  ///< elements from a column to the next
  Index k = 0;     ///< and from one k to the next
  Index batch = 0;
};
std::optional<PairsOfColumns> pairs_of(const ViewModes& modes, Index n) {
  const auto& [box, origin, outside, rows, columns, batch] = modes;
  const bool has_box = box.size() > 1 || box.front().extent != 0;
  if (has_box || rows.size() != 2 || columns.size() > 1 || batch.size() > 1) return std::nullopt;
  const Index step = rows[1].stride;
  if (rows[0].extent != n || rows[1].extent != 2 || rows[0].stride != 2 * step || step < 1)
    return std::nullopt;
  return PairsOfColumns{step, columns.empty() ? 1 : columns[0].stride,
                        batch.empty() ? 0 : batch[0].stride};
}

}  // namespace

Errors complete_gate(Problem& problem) {
  Errors errors;
  const bool is_named = problem.epilogue && names(problem.epilogue->expression, EpilogueOp::gate);
  if (!is_named) {
    if (problem.gate)
      errors.push_back(broken("gate", std::string(name(*problem.gate)),
                              "columns of B are a gate's where the epilogue names gate: it must, "
                              "or say nothing of them",
                              std::nullopt));
    return errors;
  }
  const auto must = [&](bool holds, const char* operand, std::string value, std::string rule,
                        std::optional<std::string> nearest = std::nullopt) {
    if (!holds)
      errors.push_back(broken(operand, std::move(value), std::move(rule), std::move(nearest)));
  };
  const EpilogueExpression& expression = problem.epilogue->expression;
  must(split_of(problem.precision) == nullptr, "precision", std::string(name(problem.precision)),
       "operands of a gated product must be multiplied as they are", "f32");
  const auto must_be_multiplied = [&](const char* operand, const Matrix& matrix,
                                      const OperandScale& scale) {
    if (!is_converted(matrix, scale, problem.staged)) return;
    must(false, operand, std::string(name(matrix.type)),
         base::format("operands of a gated product must be multiplied as they are: {} would be "
                      "converted to {} first, with or without scales",
                      name(matrix.type), name(*problem.staged)));
  };
  must_be_multiplied("A.type", problem.a, problem.scale_a);
  must_be_multiplied("B.type", problem.b, problem.scale_b);
  must(!names(expression, EpilogueOp::a_sum) && !names(expression, EpilogueOp::b_sum), "epilogue",
       to_string(expression), "an epilogue that names gate must not name sums of operands");
  const bool has_gates = !problem.groups || (problem.groups->kind != GroupKind::cols &&
                                             problem.groups->kind != GroupKind::each);
  must(has_gates, "groups", problem.groups ? to_string(*problem.groups) : "",
       "groups of a gated product must be rows, masked_rows or k: columns of B are a gate's",
       "rows");
  if (!problem.gate) problem.gate = GateColumns::halves;
  return errors;
}

Errors settle_gate(Problem& problem) {
  Matrix& b = problem.b;
  if (!problem.gate || !b.view) return {};
  const std::optional<PairsOfColumns> pairs = pairs_of(canonical_modes(*b.view), problem.n);
  if (!pairs || (pairs->step != 1 && pairs->k != 1) || problem.gate == GateColumns::pairs)
    return {broken("B.view", to_string(*b.view),
                   "columns of a gate must lie side by side, or each ahead of what it gates, in a "
                   "B that is contiguous along N or K",
                   std::nullopt)};
  b.view.reset();
  b.order = pairs->step == 1 ? Order::row : Order::col;
  b.ld_elems = pairs->step == 1 ? std::max(pairs->k, 2 * problem.n) : pairs->step;
  b.batch_stride_elems = pairs->batch;
  b.broadcast = problem.batch > 1 && pairs->batch == 0;
  problem.gate = GateColumns::pairs;
  return {};
}

}  // namespace plan
}  // namespace jute

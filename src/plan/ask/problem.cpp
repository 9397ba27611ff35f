// Problems: defaults filled in, rules checked, canonical text.
#include <jute/base/checked.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/problem_tensors.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/epilogue_operands.hpp"
#include "plan/ask/gate.hpp"
#include "plan/ask/groups.hpp"
#include "plan/ask/operand_sums.hpp"
#include "plan/ask/operand_views.hpp"
#include "plan/ask/row_tables.hpp"
#include "plan/ask/wish_rules.hpp"

namespace jute {
namespace {

/// Kernels count rows, columns and k in 32 bits and step past the end by at most one tile.
constexpr Index kLargestExtent = (Index{1} << 31) - 4096;
constexpr int kLargestAlignment = 256;

/// The types that one accumulator type goes with.
struct AccumulatorRule {
  DType accumulate;
  std::vector<DType> inputs;
  std::vector<DType> outputs;
};
const std::vector<AccumulatorRule>& accumulator_rules() {
  using enum DType;
  static const std::vector<AccumulatorRule> kRules{
      {f32, {f16, bf16, tf32, f32, e4m3, e5m2}, {f32, f16, bf16}},
      {f16, {f16}, {f16, f32}},
      {f64, {f64}, {f64}},
      {s32, {s8, u8}, {s32}},
  };
  return kRules;
}

std::string type_names(const std::vector<DType>& types) {
  std::string text;
  for (const DType type : types) text += (text.empty() ? "" : ", ") + std::string(name(type));
  return text;
}

bool holds(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

DType usual_accumulator(DType input) {
  if (is_integer(input)) return DType::s32;
  return input == DType::f64 ? DType::f64 : DType::f32;
}

/// Collects broken rules; the first one names the operand and value of the Error.
class Refusal {
 public:
  void add(std::string operand, std::string value, std::string rule,
           std::optional<std::string> nearest = std::nullopt) {
    if (error_.violated_rules.empty()) {
      error_ = {ErrorCode::illegal_problem, std::move(operand), std::move(value), {}, {}, {}, {}};
      error_.nearest_legal = std::move(nearest);
    }
    error_.violated_rules.push_back(std::move(rule));
  }
  void throw_if_any() const {
    if (!error_.violated_rules.empty()) throw Exception(error_);
  }

 private:
  Error error_;
};

void check_extent(Refusal& refusal, const char* what, Index value) {
  if (value < 0 || value > kLargestExtent)
    refusal.add(what, std::to_string(value),
                base::format("{} must be from 0 to {}", what, kLargestExtent),
                std::to_string(std::clamp<Index>(value, 0, kLargestExtent)));
}

/// The rows of a run, or of all runs: within a range nothing but its ends bounds them.
void check_rows(Refusal& refusal, const Problem& problem) {
  if (!problem.m_range) return check_extent(refusal, "M", problem.m);
  const auto& [first, last] = *problem.m_range;
  if (first < 0 || last < first || last > kLargestExtent) {
    const auto within = [](Index end) { return std::clamp<Index>(end, 0, kLargestExtent); };
    const auto [low, high] = std::minmax(first, last);
    refusal.add(
        "m_range", to_string(*problem.m_range),
        base::format("a range of M must go up, from 0 or more to {} or less", kLargestExtent),
        to_string(MRange{within(low), within(high)}));
  } else if (problem.m < first || problem.m > last) {
    refusal.add(
        "M", std::to_string(problem.m),
        base::format("M must lie in the problem's m_range, {}", to_string(*problem.m_range)),
        std::to_string(std::clamp(problem.m, first, last)));
  }
}

void check_types(Refusal& refusal, const Problem& problem) {
  const DType accumulate = *problem.accumulate;
  const auto& rules = accumulator_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(),
                                 [&](const auto& row) { return row.accumulate == accumulate; });
  if (rule == rules.end()) {
    refusal.add("accumulate", std::string(name(accumulate)),
                "accumulators must be f32, f16, f64 or s32",
                std::string(name(usual_accumulator(problem.a.type))));
    return;
  }
  const auto check_one = [&](const char* what, DType type, const std::vector<DType>& legal,
                             std::optional<DType> nearest = std::nullopt) {
    if (!holds(legal, type))
      refusal.add(base::format("{}.type", what), std::string(name(type)),
                  base::format("with {} accumulation {} must be one of: {}", name(accumulate), what,
                               type_names(legal)),
                  std::string(name(nearest.value_or(legal.front()))));
  };
  const auto check_factor = [&](const char* what, const Matrix& matrix, const OperandScale& scale,
                                DType other) {
    if (is_converted(matrix, scale, problem.staged)) return;
    check_one(what, matrix.type, rule->inputs,
              holds(rule->inputs, other) ? std::optional(other) : std::nullopt);
  };
  if (problem.staged && !holds(rule->inputs, *problem.staged))
    refusal.add("staged", std::string(name(*problem.staged)),
                base::format("with {} accumulation operands must become one of: {}",
                             name(accumulate), type_names(rule->inputs)),
                std::string(name(rule->inputs.front())));
  check_factor("A", problem.a, problem.scale_a, problem.b.type);
  check_factor("B", problem.b, problem.scale_b, problem.a.type);
  if (!problem.epilogue && !holds(rule->outputs, problem.d.type))
    refusal.add("D.type", std::string(name(problem.d.type)),
                base::format("with {} accumulation D must be one of: {}; what else sums become "
                             "needs an epilogue, such as acc",
                             name(accumulate), type_names(rule->outputs)),
                std::string(name(rule->outputs.front())));
  else if (c_read(problem) != CRead::never)
    check_one("C", problem.c.type, rule->outputs);
  if (problem.staged || !holds(rule->inputs, problem.a.type) ||
      !holds(rule->inputs, problem.b.type))
    return;
  if (width_bits(problem.a.type) != width_bits(problem.b.type) ||
      is_integer(problem.a.type) != is_integer(problem.b.type) ||
      (width_bits(problem.a.type) > 8 && problem.a.type != problem.b.type))
    refusal.add("B.type", std::string(name(problem.b.type)),
                "A and B must have the same type, or both be 8-bit floats or both 8-bit integers, "
                "or become one type",
                std::string(name(problem.a.type)));
}

/// Only f32 is split, whose sums are kept in f32.
void check_precision(Refusal& refusal, const Problem& problem) {
  if (problem.precision == Precision::f32) return;
  const bool is_f32 = problem.a.type == DType::f32 && problem.b.type == DType::f32 &&
                      problem.accumulate == DType::f32;
  if (!is_f32)
    refusal.add("precision", std::string(name(problem.precision)),
                base::format("A and B must be f32, and accumulated in f32, to be split for {}",
                             name(problem.precision)),
                "f32");
}

/// Tensor cores read f32 as tf32 where it lies.
void take_tf32(Refusal& refusal, Problem& problem) {
  if (problem.precision != Precision::tf32) return;
  const bool is_f32 = problem.a.type == DType::f32 && problem.b.type == DType::f32 &&
                      problem.accumulate.value_or(DType::f32) == DType::f32 && !problem.staged;
  if (!is_f32)
    refusal.add("precision", "tf32",
                "A and B must be f32, and accumulated in f32, to be multiplied as tf32", "f32");
  problem.a.type = problem.b.type = DType::tf32;
  problem.precision = Precision::f32;
}

/// Fills in packed strides and checks those given.
void complete_strides(Refusal& refusal, Matrix& matrix, const plan::MatrixShape& shape,
                      Index batch) {
  const Index inner = matrix.order == Order::row ? shape.cols : shape.rows;
  const Index outer = matrix.order == Order::row ? shape.rows : shape.cols;
  const Index least = std::max<Index>(inner, 1);
  if (matrix.ld_elems == 0) matrix.ld_elems = least;
  if (matrix.ld_elems < least)
    refusal.add(shape.name + ".ld", std::to_string(matrix.ld_elems),
                base::format("the leading dimension of {} must be at least its {} ({})", shape.name,
                             matrix.order == Order::row ? "row length" : "column length", least),
                std::to_string(least));
  const Index extent = checked_mul(matrix.ld_elems, std::max<Index>(outer, 1), shape.name);
  if (matrix.broadcast && matrix.batch_stride_elems != 0)
    refusal.add(shape.name + ".batch_stride", std::to_string(matrix.batch_stride_elems),
                "a broadcast matrix must have no batch stride", "0");
  if (matrix.batch_stride_elems < 0)
    refusal.add(shape.name + ".batch_stride", std::to_string(matrix.batch_stride_elems),
                "a batch stride must not be negative", std::to_string(extent));
  if (!matrix.broadcast && matrix.batch_stride_elems == 0) matrix.batch_stride_elems = extent;
  (void)byte_count(matrix.type,
                   checked_mul(matrix.batch_stride_elems, std::max<Index>(batch, 1), shape.name));
}

void complete_matrix(Refusal& refusal, Matrix& matrix, const plan::MatrixShape& shape,
                     Index batch) {
  if (!matrix.view) complete_strides(refusal, matrix, shape, batch);
  const auto alignment = static_cast<unsigned>(std::max(matrix.alignment_bytes, 0));
  const int width = width_bytes(matrix.type);
  if (!std::has_single_bit(alignment) || matrix.alignment_bytes < width ||
      matrix.alignment_bytes > kLargestAlignment)
    refusal.add(
        shape.name + ".alignment", std::to_string(matrix.alignment_bytes),
        base::format("a base alignment must be a power of two from {} (the element) to {} bytes",
                     width, kLargestAlignment),
        std::to_string(std::clamp<int>(static_cast<int>(std::bit_floor(alignment)), width,
                                       kLargestAlignment)));
}

void check_output(Refusal& refusal, const Problem& problem) {
  const Matrix& d = problem.d;
  if (is_cut(problem, EpilogueExtent::elements)) return;  // groups have parts of one D
  if (d.broadcast) refusal.add("D.broadcast", "true", "every matrix of D must be its own", "false");
  const Index outer = d.order == Order::row ? rows_in_memory(d, problem.m) : problem.n;
  const Index inner = d.order == Order::row ? problem.n : problem.m;
  if (problem.batch <= 1 || outer == 0 || inner == 0 || d.broadcast || d.view) return;
  const Index least = d.ld_elems * (outer - 1) + inner;
  if (d.batch_stride_elems < least && plan::overlaps(d, problem.m, problem.n, problem.batch))
    refusal.add("D.batch_stride", std::to_string(d.batch_stride_elems),
                "the matrices of D must not overlap", std::to_string(least));
}

/// Refuses what the language says and no kernel does.
void check_kernels_do(Refusal& refusal, const EpilogueExpression& expression) {
  const std::string text = jute::to_string(expression);
  // A kernel reads sums of operands as it reads inputs.
  if (expression.inputs.size() + plan::sum_count(expression) > kMostEpilogueInputs)
    refusal.add("epilogue", text,
                base::format("inputs must be at most {}, sums of operands among them",
                             kMostEpilogueInputs));
}

/// The scale factors are what the expression names.
void complete_epilogue(Refusal& refusal, Problem& problem) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  for (const std::string& rule : broken_rules(expression))
    refusal.add("epilogue", jute::to_string(expression), rule);
  refusal.throw_if_any();
  check_kernels_do(refusal, expression);
  problem.alpha = jute::names(expression, EpilogueOp::alpha) ? Factor::run_time : Factor::one;
  problem.beta = jute::names(expression, EpilogueOp::beta) ? Factor::run_time
                 : jute::names(expression, EpilogueOp::c)  ? Factor::one
                                                           : Factor::zero;
  refusal.throw_if_any();
}

/// A number that every run passes.
void check_value(Refusal& refusal, const EpilogueOperand& operand, const plan::MatrixShape& shape) {
  if (!operand.by_value) return;
  const DType type = operand.type;
  if (shape.rows != 1 || shape.cols != 1)
    refusal.add(shape.name, "by value", "only a scalar must be passed by value", "an address");
  if (type != DType::f32 && type != DType::f64 && type != DType::s32)
    refusal.add(shape.name + ".type", std::string(name(type)),
                "a scalar that is passed by value must be f32, f64 or s32", "f32");
}

void complete_operands(Refusal& refusal, Problem& problem) {
  Epilogue& epilogue = *problem.epilogue;
  const auto complete = [&](std::vector<EpilogueOperand>& operands, const auto& named) {
    if (operands.size() > named.size())
      refusal.add("epilogue", base::format("{} operands", operands.size()),
                  base::format("they must be the {} that the expression names", named.size()),
                  base::format("{}", named.size()));
    for (std::size_t i = operands.size(); i < named.size(); ++i)
      operands.push_back(usual_operand(problem, named[i]));
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (is_d(named[i].name)) {
        operands[i] = {problem.d, false};  // it lies where the problem says, and is judged there
        continue;
      }
      const bool is_bits = is_of_bits(epilogue.expression, named[i]);
      // Bytes of bits are counted along what is contiguous.
      if (is_bits)
        operands[i].order = plan::contiguous(plan::extent_of(problem, named[i]), operands[i].order);
      const plan::MatrixShape shape = plan::shape_of(problem, named[i]);
      if (is_bits && operands[i].type != DType::u8)
        refusal.add(shape.name + ".type", std::string(name(operands[i].type)),
                    "a matrix of bits must be one of bytes, u8, each eight neighbours", "u8");
      // A vector is contiguous, whichever way it runs; one of a matrix lies as the matrix does.
      const bool is_of_matrix = plan::extent_of(problem, named[i]) >= EpilogueExtent::elements &&
                                operands[i].ld_elems != 0;
      if (!is_bits && !is_of_matrix && (shape.rows == 1 || shape.cols == 1))
        operands[i].order = shape.rows == 1 ? Order::row : Order::col;
      if (is_cut(problem, plan::extent_of(problem, named[i]))) operands[i].broadcast = true;
      if (is_stored_only(operands[i].type))
        refusal.add(shape.name + ".type", std::string(name(operands[i].type)),
                    "what an epilogue reads and writes must have a type that kernels compute with",
                    "f32");
      complete_matrix(refusal, operands[i], shape, problem.batch);
      check_value(refusal, operands[i], shape);
    }
  };
  complete(epilogue.inputs, epilogue.expression.inputs);
  complete(epilogue.outputs, epilogue.expression.outputs);
  for (const plan::Errors& errors : {plan::seed_rules(problem), plan::block_rules(problem)})
    for (const Error& error : errors)
      refusal.add(error.operand, error.value, error.violated_rules.front(), error.nearest_legal);
}

/// Does the problem's own epilogue say what the usual one does? Its kernels are the same then.
bool is_usual(const Problem& problem) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  const auto& rules = accumulator_rules();
  const auto rule = std::ranges::find(rules, *problem.accumulate, &AccumulatorRule::accumulate);
  return rule != rules.end() && holds(rule->outputs, problem.d.type) &&
         jute::to_string(expression) == jute::to_string(scaled_sum(problem.alpha, problem.beta));
}

}  // namespace

std::string_view name(Factor scale) {
  switch (scale) {
    case Factor::zero:
      return "0";
    case Factor::one:
      return "1";
    case Factor::run_time:
      break;
  }
  return "run-time";
}

std::string_view name(Order order) { return order == Order::row ? "row" : "col"; }

DType usual_output_type(DType operand) {
  if (is_integer(operand)) return DType::s32;
  const bool is_operand_only =
      operand == DType::e4m3 || operand == DType::e5m2 || operand == DType::tf32;
  return is_operand_only ? DType::f32 : operand;
}

Problem completed(const Problem& problem) {
  Problem result = problem;
  Refusal refusal;
  check_rows(refusal, problem);
  check_extent(refusal, "N", problem.n);
  check_extent(refusal, "K", problem.k);
  check_extent(refusal, "batch", problem.batch);
  take_tf32(refusal, result);
  refusal.throw_if_any();  // strides below are products of these
  const Index most_m = problem.m_range ? problem.m_range->last : problem.m;
  for (const Error& broken : plan::complete_scales(result, most_m))
    refusal.add(broken.operand, broken.value, broken.violated_rules.front(), broken.nearest_legal);
  refusal.throw_if_any();
  if (!result.accumulate) result.accumulate = usual_accumulator(multiplied_type(result));
  if (problem.alpha == Factor::zero)
    refusal.add("alpha", "0", "alpha must be 1 or a run-time value", "run-time");
  if (problem.epilogue) complete_epilogue(refusal, result);
  for (const Error& broken : plan::complete_gate(result))
    refusal.add(broken.operand, broken.value, broken.violated_rules.front(), broken.nearest_legal);
  check_types(refusal, result);
  check_precision(refusal, result);
  for (auto& [operand, value, rule, nearest] : plan::complete_groups(result))
    refusal.add(operand, value, rule, nearest);
  refusal.throw_if_any();  // what operands are cut follows from these
  for (auto& [operand, broken] : plan::complete_views(result, most_m))
    refusal.add(operand, broken.value, broken.rule, broken.nearest);
  for (const Error& broken : plan::settle_gate(result))
    refusal.add(broken.operand, broken.value, broken.violated_rules.front(), broken.nearest_legal);
  for (const Error& broken : plan::complete_row_tables(result))
    refusal.add(broken.operand, broken.value, broken.violated_rules.front(), broken.nearest_legal);
  result.m = most_m;
  for (const TensorRole role : kAllTensors) {
    Matrix* const matrix = matrix_of(result, role);
    if (matrix == nullptr || is_input(role) || is_output(role)) continue;
    std::string operand(name(role));
    if (operand.size() == 1) operand.front() += 'A' - 'a';
    const auto [rows, cols, batch] = extents_of(result, role);
    complete_matrix(refusal, *matrix, {std::move(operand), rows, cols}, batch);
  }
  if (result.epilogue) complete_operands(refusal, result);
  result.m = problem.m;
  check_output(refusal, result);
  refusal.throw_if_any();
  if (result.epilogue && is_usual(result)) result.epilogue.reset();
  return result;
}

}  // namespace jute

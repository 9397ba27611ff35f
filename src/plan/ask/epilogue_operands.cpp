// Defaults of an epilogue's inputs and outputs, and how they print.
#include "plan/ask/epilogue_operands.hpp"

#include <algorithm>

#include <jute/base/checked.hpp>
#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include "base/format.hpp"

namespace jute {
namespace plan {
namespace {

OperandExtents extents_of(const Problem& problem, EpilogueExtent extent) {
  if (extent == EpilogueExtent::blocks) {
    const EpilogueBlock block = block_of(problem.epilogue->expression);
    return {ceil_div(problem.m, Index{block.m}), ceil_div(problem.n, Index{block.n})};
  }
  const bool has_rows = extent == EpilogueExtent::rows || extent == EpilogueExtent::elements;
  const bool has_cols = extent == EpilogueExtent::columns || extent == EpilogueExtent::elements;
  return {has_rows ? problem.m : 1, has_cols ? problem.n : 1};
}

/// Is it a matrix of bits?
template <class Named>
bool is_of_bits(const Problem& problem, const Named& named) {
  return problem.epilogue && jute::is_of_bits(problem.epilogue->expression, named);
}

bool is_seed(const Problem& problem, const EpilogueInput& input) {
  if (!problem.epilogue) return false;
  const int place = find_input(problem.epilogue->expression, input.name);
  return place >= 0 && jute::is_seed(problem.epilogue->expression, static_cast<std::size_t>(place));
}

/// Bits lie by eight in bytes, along what is contiguous.
template <class Named>
OperandExtents packed(const Problem& problem, const Named& named, EpilogueExtent extent,
                      const std::vector<Named>& all, const std::vector<EpilogueOperand>& operands) {
  constexpr int kBitsOfByte = 8;
  OperandExtents extents = extents_of(problem, extent);
  Order order = problem.d.order;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (all[i].name == named.name) order = operands[i].order;
  Index& inner = contiguous(extent, order) == Order::row ? extents.cols : extents.rows;
  inner = ceil_div(inner, Index{kBitsOfByte});
  return extents;
}

EpilogueOperand bits_like_d(const Problem& problem, EpilogueExtent extent) {
  EpilogueOperand operand;
  operand.type = DType::u8;
  operand.order = contiguous(extent, problem.d.order);
  return operand;
}

template <class Named>
MatrixShape shaped(const Problem& problem, const Named& named) {
  const OperandExtents extents = jute::extents_of(problem, named);
  return {named.name, extents.rows, extents.cols};
}

EpilogueOperand operand_of(const Problem& problem, EpilogueExtent extent) {
  EpilogueOperand operand;
  operand.order = contiguous(extent, Order::row);
  operand.type =
      problem.accumulate.value_or(problem.a.type) == DType::f64 ? DType::f64 : DType::f32;
  return operand;
}

}  // namespace

EpilogueExtent extent_of(const Problem&, const EpilogueInput& input) { return input.extent; }
EpilogueExtent extent_of(const Problem& problem, const EpilogueOutput& output) {
  if (problem.epilogue) return output_extent(problem.epilogue->expression, output);
  return output_extent({}, {output.name, output.gather, 0});
}

Order contiguous(EpilogueExtent extent, Order order) {
  if (extent == EpilogueExtent::rows) return Order::col;
  return extent == EpilogueExtent::columns ? Order::row : order;
}

MatrixShape shape_of(const Problem& problem, const EpilogueInput& input) {
  return shaped(problem, input);
}
MatrixShape shape_of(const Problem& problem, const EpilogueOutput& output) {
  return shaped(problem, output);
}

Errors block_rules(const Problem& problem) {
  Errors errors;
  const EpilogueExpression& expression = problem.epilogue->expression;
  const EpilogueBlock block = block_of(expression);
  if (block == EpilogueBlock{}) return errors;
  const auto refuse = [&](const char* rule) {
    errors.push_back(broken("epilogue", jute::to_string(expression), rule));
  };
  if (has_whole_blocks(expression)) {
    const EpilogueExpression behind = behind_blocks(expression);
    const auto is_made = [](const EpilogueNode& node) {
      using enum EpilogueOp;
      constexpr EpilogueOp kOther[] = {gate, c, alpha, beta, a_sum, b_sum};
      return std::ranges::find(kOther, node.op) == std::end(kOther);
    };
    const auto is_number = [](const EpilogueInput& input) {
      return input.extent == EpilogueExtent::scalar;
    };
    if (!std::ranges::all_of(behind.nodes, is_made) ||
        !std::ranges::all_of(behind.inputs, is_number))
      refuse(
          "outputs that need amax of whole rows or of all of D must be made of the value that "
          "it is taken of, numbers and inputs that are one number");
    const auto is_most = [](const auto& named) { return named.name == kMostOfBlocks; };
    if (std::ranges::any_of(expression.inputs, is_most) ||
        std::ranges::any_of(expression.outputs, is_most) ||
        std::ranges::any_of(expression.locals, is_most))
      refuse(
          "an epilogue with amax of whole rows or of all of D must leave the name "
          "most_of_blocks to it");
    const auto has_view = [](const Matrix& matrix) { return matrix.view.has_value(); };
    if (problem.groups || problem.d.rows || problem.a.rows || has_view(problem.a) ||
        has_view(problem.b) || has_view(problem.c) || has_view(problem.d))
      refuse(
          "amax of whole rows or of all of D must be of a product without groups, Views and "
          "tables of rows");
  }
  if (problem.accumulate == DType::f64)
    refuse("amax of blocks must be computed in f32, not in f64");
  if (problem.groups && (problem.groups->kind == GroupKind::cols ||
                         problem.groups->kind == GroupKind::each || block.m > 1))
    refuse("blocks of groups must have one row each, of groups that share D's columns");
  return errors;
}

Errors seed_rules(const Problem& problem) {
  Errors errors;
  const EpilogueExpression& expression = problem.epilogue->expression;
  if (!jute::names(expression, EpilogueOp::stochastic)) return errors;
  const std::vector<EpilogueOperand>& inputs = problem.epilogue->inputs;
  for (std::size_t i = 0; i < expression.inputs.size(); ++i)
    if (jute::is_seed(expression, i) && inputs[i].type != DType::s32)
      errors.push_back(broken(expression.inputs[i].name + ".type",
                              std::string(name(inputs[i].type)),
                              "a seed must be s32, whose 32 bits are its key", "s32"));
  if (problem.accumulate == DType::f64)
    errors.push_back(broken("epilogue", jute::to_string(expression),
                            "what is rounded by a seed must be computed in f32, not in f64"));
  if (problem.groups &&
      (problem.groups->kind == GroupKind::cols || problem.groups->kind == GroupKind::each))
    errors.push_back(broken("epilogue", jute::to_string(expression),
                            "elements that are rounded by a seed must lie in matrices of N "
                            "columns: groups of columns, or with extents of their own, have none"));
  return errors;
}

std::string text_of(std::string_view what, const Matrix& matrix) {
  if (matrix.view)
    return base::format(" {}={}:view[{}]:align{}", what, name(matrix.type), to_string(*matrix.view),
                        matrix.alignment_bytes);
  std::string text =
      base::format(" {}={}:{}:ld{}", what, name(matrix.type), name(matrix.order), matrix.ld_elems);
  text += matrix.broadcast ? std::string(":broadcast")
                           : base::format(":batch{}", matrix.batch_stride_elems);
  text += base::format(":align{}", matrix.alignment_bytes);
  return matrix.rows ? text + ":" + to_string(*matrix.rows) : text;
}

std::string text_of(const Epilogue& epilogue) {
  std::string text = base::format(" epilogue=\"{}\"", to_string(epilogue.expression));
  const EpilogueExpression& named = epilogue.expression;
  for (std::size_t i = 0; i < named.inputs.size() && i < epilogue.inputs.size(); ++i)
    text += epilogue.inputs[i].by_value ? base::format(" {}={}:by-value", named.inputs[i].name,
                                                       name(epilogue.inputs[i].type))
                                        : text_of(named.inputs[i].name, epilogue.inputs[i]);
  for (std::size_t i = 0; i < named.outputs.size() && i < epilogue.outputs.size(); ++i)
    if (!is_d(named.outputs[i])) text += text_of(named.outputs[i].name, epilogue.outputs[i]);
  return text;
}

}  // namespace plan

OperandExtents extents_of(const Problem& problem, const EpilogueInput& input) {
  if (!plan::is_of_bits(problem, input)) return plan::extents_of(problem, input.extent);
  const Epilogue& epilogue = *problem.epilogue;
  return plan::packed(problem, input, input.extent, epilogue.expression.inputs, epilogue.inputs);
}
OperandExtents extents_of(const Problem& problem, const EpilogueOutput& output) {
  const EpilogueExtent extent = plan::extent_of(problem, output);
  if (!plan::is_of_bits(problem, output)) return plan::extents_of(problem, extent);
  const Epilogue& epilogue = *problem.epilogue;
  return plan::packed(problem, output, extent, epilogue.expression.outputs, epilogue.outputs);
}

EpilogueOperand usual_operand(const Problem& problem, const EpilogueInput& input) {
  const bool is_bits = plan::is_of_bits(problem, input);
  EpilogueOperand operand =
      is_bits ? plan::bits_like_d(problem, input.extent) : plan::operand_of(problem, input.extent);
  operand.broadcast = !input.batched && input.extent != EpilogueExtent::elements;
  if (is_bits) return operand;
  if (plan::is_seed(problem, input)) operand.type = DType::s32;
  if (input.extent == EpilogueExtent::elements) {
    operand.type = problem.d.type;
    operand.order = problem.d.order;
  } else if (input.extent != EpilogueExtent::scalar && width_bits(problem.d.type) > 8 &&
             !is_integer(problem.d.type)) {
    operand.type = problem.d.type;
  }
  return operand;
}

EpilogueOperand usual_operand(const Problem& problem, const EpilogueOutput& output) {
  const EpilogueExtent extent = plan::extent_of(problem, output);
  if (plan::is_of_bits(problem, output)) return plan::bits_like_d(problem, extent);
  EpilogueOperand operand = plan::operand_of(problem, extent);
  if (extent == EpilogueExtent::elements) {
    operand.type = problem.d.type;
    operand.order = problem.d.order;
  }
  return operand;
}

EpilogueAccuracy epilogue_accuracy(const Problem& problem) {
  if (!problem.epilogue || width_bits(problem.d.type) > 16) return EpilogueAccuracy::full;
  const Epilogue& epilogue = *problem.epilogue;
  if (epilogue.expression.math == EpilogueMath::exact) return EpilogueAccuracy::full;
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i)
    if (!is_d(epilogue.expression.outputs[i]) && width_bits(epilogue.outputs[i].type) > 16)
      return EpilogueAccuracy::full;
  return EpilogueAccuracy::half;
}

}  // namespace jute

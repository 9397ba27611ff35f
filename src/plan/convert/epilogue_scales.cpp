// Writes scales into an epilogue's expression, and says where they lie.
#include "plan/convert/epilogue_scales.hpp"

#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace jute::plan {
namespace {

constexpr std::array kTypes{DType::f32, DType::bf16, DType::f16};

/// A vector of scales, or one for all, of an operand.
struct SumScale {
  TensorRole role;
  const BlockValues* values;
  EpilogueExtent extent;
};

/// Nothing where sums have several, or an epilogue does not read them.
std::optional<SumScale> sum_scale(const Problem& problem, TensorRole role) {
  const bool is_a = role == TensorRole::scale_a;
  const std::optional<BlockValues>& scale = is_a ? problem.scale_a.scale : problem.scale_b.scale;
  if (!scale || problem.k == 0) return std::nullopt;
  if (scale->block.k != 0 && scale->block.k < problem.k) return std::nullopt;
  if (std::ranges::find(kTypes, scale->type) == kTypes.end()) return std::nullopt;
  if (scale->block.mn == 0) return SumScale{role, &*scale, EpilogueExtent::scalar};
  const bool is_along = scale->order == (is_a ? Order::col : Order::row);
  if (scale->block.mn != 1 || !(is_along || scale->ld_elems == 1)) return std::nullopt;
  return SumScale{role, &*scale, is_a ? EpilogueExtent::rows : EpilogueExtent::columns};
}

std::vector<SumScale> sum_scales(const Problem& problem) {
  std::vector<SumScale> list;
  for (const TensorRole role : {TensorRole::scale_a, TensorRole::scale_b})
    if (const auto one = sum_scale(problem, role)) list.push_back(*one);
  return list;
}

bool has_name(const EpilogueExpression& expression, const std::string& name) {
  const auto is = [&](const auto& one) { return one.name == name; };
  return std::ranges::any_of(expression.inputs, is) || std::ranges::any_of(expression.locals, is) ||
         std::ranges::any_of(expression.outputs, is);
}
std::string free_name(const EpilogueExpression& expression, std::string name) {
  while (has_name(expression, name)) name += '_';
  return name;
}

/// The same of `scaled := acc*scale_a[m]*scale_b[n]` in place of acc.
EpilogueExpression scaled(const EpilogueExpression& given, const std::vector<SumScale>& scales) {
  EpilogueExpression made = given;
  made.nodes.clear();
  std::vector<int> place(given.nodes.size());
  const auto push = [&](const EpilogueNode& node) {
    made.nodes.push_back(node);
    return static_cast<int>(made.nodes.size()) - 1;
  };
  for (size_t i = 0; i < given.nodes.size(); ++i) {
    EpilogueNode node = given.nodes[i];
    for (int& operand : node.operands) operand = operand < int(i) ? place[size_t(operand)] : 0;
    place[i] = push(node);
    if (node.op != EpilogueOp::acc) continue;
    for (const SumScale& scale : scales) {
      const auto input = static_cast<int>(made.inputs.size());
      made.inputs.push_back({.name = free_name(made, std::string(jute::name(scale.role))),
                             .extent = scale.extent,
                             .batched = !scale.values->broadcast});
      const int read = push({.op = EpilogueOp::input, .input = input});
      place[i] = push({.op = EpilogueOp::multiply, .operands = {place[i], read}});
    }
    made.locals.push_back({free_name(made, "scaled"), place[i]});
  }
  for (size_t i = 0; i < given.locals.size(); ++i)
    made.locals[i].node = place[static_cast<size_t>(given.locals[i].node)];
  for (EpilogueOutput& output : made.outputs) output.node = place[static_cast<size_t>(output.node)];
  return in_order(made);
}

Epilogue own_epilogue(const Problem& problem) {
  return problem.epilogue.value_or(Epilogue{scaled_sum(problem.alpha, problem.beta)});
}

EpilogueOperand vector_of(const SumScale& scale, const Problem& problem) {
  EpilogueOperand operand;
  operand.type = scale.values->type;
  operand.order = scale.extent == EpilogueExtent::columns ? Order::row : Order::col;
  operand.alignment_bytes = scale.values->alignment_bytes;
  operand.broadcast = problem.batch > 1 && scale.values->broadcast;
  operand.batch_stride_elems = scale.values->batch_stride_elems;
  return operand;
}

}  // namespace
}  // namespace jute::plan

namespace jute {

Problem with_epilogue_scales(const Problem& problem) {
  using namespace plan;
  const std::vector<SumScale> scales = sum_scales(problem);
  if (scales.empty()) return problem;
  Problem made = problem;
  Epilogue epilogue = own_epilogue(problem);
  const EpilogueExpression own = epilogue.expression;
  epilogue.expression = scaled(own, scales);
  std::vector<EpilogueOperand> inputs;
  for (const EpilogueInput& input : epilogue.expression.inputs) {
    const int at = find_input(own, input.name);
    if (at >= 0) {
      inputs.push_back(epilogue.inputs.at(static_cast<size_t>(at)));
      continue;
    }
    const bool is_a = input.name.starts_with(jute::name(TensorRole::scale_a));
    const auto scale = std::ranges::find(scales, is_a ? TensorRole::scale_a : TensorRole::scale_b,
                                         &SumScale::role);
    inputs.push_back(vector_of(*scale, problem));
  }
  epilogue.inputs = std::move(inputs);
  made.epilogue = std::move(epilogue);
  for (const SumScale& scale : scales)
    (scale.role == TensorRole::scale_a ? made.scale_a : made.scale_b) = {};
  made = completed(made);
  made.staged.reset();  // scales that are left multiply sums
  return made;
}

}  // namespace jute

namespace jute::plan {

bool has_room_for_scales(const Problem& problem) {
  const std::vector<SumScale> scales = sum_scales(problem);
  return scales.empty() || broken_rules(scaled(own_epilogue(problem).expression, scales)).empty();
}

void find_epilogue_scales(KernelProblem& kernel, const Problem& problem) {
  const auto own = [&](const std::string& name) {
    return problem.epilogue ? find_input(problem.epilogue->expression, name) : -1;
  };
  const auto find = [](KernelMatrix& matrix, TensorRole role) {
    matrix.base = Argument{role};
    matrix.ld.count = ld_of(role);
    matrix.batch_stride.count = batch_stride_of(role);
  };
  const std::vector<SumScale> scales = sum_scales(problem);
  if (scales.empty()) return;
  for (KernelOperand& input : kernel.inputs) {
    if (const int at = own(input.name); at >= 0) {
      find(input.matrix, input_role(at));
      continue;
    }
    for (const SumScale& scale : scales)
      if (input.name.starts_with(jute::name(scale.role))) find(input.matrix, scale.role);
  }
}

}  // namespace jute::plan

// Derives a step once more from its choices, and compares.
#include "plan/derive/consequences.hpp"

#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <vector>

#include "base/format.hpp"
#include "plan/convert/epilogue_scales.hpp"
#include "plan/convert/product_scales.hpp"
#include "plan/derive/block/arrivals.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/derive/moves.hpp"
#include "plan/derive/operand/conversion.hpp"
#include "plan/derive/operand/view_boxes.hpp"
#include "plan/derive/stamps.hpp"
#include "plan/derive/straight_family.hpp"
#include "plan/derive/sums.hpp"
#include "plan/derive/warp_specialised_family.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {
namespace {

/// The problem by which operands are copied.
Problem seen_by(const Plan& plan, const GemmStep& step) {
  return multiplies_as_they_are(plan.problem, step) ? as_multiplied(plan.problem) : plan.problem;
}

/// The problem as the step's kernel has to see it.
KernelProblem problem_of(const Plan& plan, const GemmStep& step) {
  Problem problem = seen_by(plan, step);
  const RunValues planned = run_values(problem);
  std::vector<Move> copies;
  for (const Step& other : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&other))
      for (const Move& move : moves->moves) {
        copies.push_back(move);
        read_copy(problem, move, planned);
      }
  KernelProblem result = kernel_problem(problem, Config{}, copies);
  read_in_registers(result, problem);
  if (multiplies_as_they_are(plan.problem, step)) find_epilogue_scales(result, plan.problem);
  if (result.transposed != step.transposed) result = transposed(std::move(result));
  if (step.schedule.main_loop != MainLoop::warp_specialised) return result;
  const KernelProblem walked = result;
  bring_by_boxes(result);
  // Whether threads walk a View or TMA moves boxes of it is the step's choice.
  if (step.a.view) result.a = walked.a;
  if (step.b.view) result.b = walked.b;
  if (step.epilogue.c_view) result.c = walked.c;
  if (step.epilogue.d_view) result.d = walked.d;
  return result;
}

/// The same number; whether the kernel holds it as a literal is the step's choice.
void take(Extent& extent, const Extent& given) {
  extent.count = given.count;
  extent.value = given.value;
}
void take(OperandPlan& operand, const KernelMatrix& matrix) {
  operand.type = matrix.type;
  operand.major = matrix.major;
  take(operand.ld, matrix.ld);
  take(operand.batch_stride, matrix.batch_stride);
  operand.view = matrix.view;
  if (transfer_of(operand) == Transfer::tma) its_tma(operand).boxed = matrix.boxed;
  operand.stored = matrix.stored;
  if (operand.scales && matrix.scales) operand.scales->numbers = *matrix.scales;
  operand.rows = matrix.rows;
}

void take_all(GemmStep& step, const KernelProblem& problem) {
  take_problem(step, problem, [](Extent& own, const Extent& given) { take(own, given); });
  if (step.gate && problem.gate) take(step.gate->stride, problem.gate->stride);
  take(step.a, problem.a);
  take(step.b, problem.b);
  EpiloguePlan& out = step.epilogue;
  std::vector<EpilogueOperandPlan> inputs = operand_plans(problem.inputs);
  for (size_t i = 0; i < inputs.size() && i < out.inputs.size(); ++i) {
    inputs[i].staged = out.inputs[i].staged;  // judged by rules of their own
    inputs[i].packed = out.inputs[i].packed;
  }
  out.inputs = std::move(inputs);
  std::vector<EpilogueOperandPlan> outputs = operand_plans(problem.outputs);
  for (size_t i = 0; i < outputs.size() && i < out.outputs.size(); ++i) {
    outputs[i].lines = out.outputs[i].lines;  // of addresses, which rules of their own judge
    outputs[i].packed = out.outputs[i].packed;
  }
  out.outputs = std::move(outputs);
  if (!problem.outputs.empty()) out.expression = problem.expression;  // else its own rules judge
}

std::string field_text(const Field& field) {
  std::string text = to_string(Fields{field});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

/// The innermost fields that differ; each list has those of its operands' ways.
void compare(Errors& errors, const std::string& path, const Fields& found, const Fields& expected) {
  const auto differs = [&](const std::string& name, const std::string& is, const std::string& be) {
    const std::string rule = base::format(
        "{}{} must be what follows from the problem and the step's choices", path, name);
    errors.push_back(broken(path + name, is, rule, be));
  };
  for (const Field& field : found) {
    const auto other = std::ranges::find(expected, field.name, &Field::name);
    if (other == expected.end()) {
      differs(field.name, field_text(field), "none");
      continue;
    }
    if (field == *other) continue;
    const auto* inside = std::get_if<Fields>(&field.value);
    const auto* expected_inside = std::get_if<Fields>(&other->value);
    if (inside != nullptr && expected_inside != nullptr)
      compare(errors, path + field.name + ".", *inside, *expected_inside);
    else
      differs(field.name, field_text(field), field_text(*other));
  }
  for (const Field& field : expected)
    if (std::ranges::find(found, field.name, &Field::name) == found.end())
      differs(field.name, "none", field_text(field));
}

}  // namespace

Errors consequence_rules(const Plan& plan, const GemmStep& step) {
  const KernelProblem problem = problem_of(plan, step);
  const Problem seen = seen_by(plan, step);
  Plan expected = plan;
  for (Step& other : expected.steps) {
    if (auto* moves = std::get_if<MoveStep>(&other);
        moves != nullptr && moves->moves.size() + moves->sums.size() > 0)
      follow(*moves = moves_again(*moves, seen, plan.device), step);
    auto* gemm = std::get_if<GemmStep>(&other);
    if (gemm == nullptr || !(*gemm == step)) continue;
    gemm->arch = plan.device.arch;
    take_all(*gemm, problem);
    const std::vector<SmemRegion> places = gemm->smem_map;  // judged by rules of their own
    const Index bytes = gemm->dynamic_smem_bytes;
    const bool stamps = is_stamped(*gemm), arrivals = awaits_arrivals(*gemm);
    const Index rows_come_to = arrivals ? rows_at(*gemm) : 0;
    if (gemm->schedule.main_loop == MainLoop::warp_specialised)
      complete_specialised(*gemm, problem);
    else if (is_straight(*gemm))
      complete_straight(*gemm, problem);
    else
      complete_step(*gemm, problem, plan.device);
    if (arrivals) add_arrivals(*gemm, rows_come_to);
    if (stamps) gemm->parameters.push_back(stamps_parameter());
    gemm->smem_map = places;
    gemm->dynamic_smem_bytes = bytes;
    gemm->block = block_of(*gemm, plan.device);
  }
  Errors errors;
  const Fields found = fields(plan), wanted = fields(expected);
  for (size_t i = 0; i < found.size(); ++i)
    if (const auto* steps = std::get_if<FieldList>(&found[i].value);
        steps && found[i].name == "steps")
      for (size_t at = 0; at < steps->items.size(); ++at)
        compare(errors, "", std::get<Fields>(steps->items[at].value),
                std::get<Fields>(std::get<FieldList>(wanted[i].value).items[at].value));
  return errors;
}

}  // namespace jute::plan

// Pointers, extents, strides and scale factors of a run against what its kernels rest on.
#include "gemm/run_rules.hpp"

#include <jute/base/refuse.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/problem_tensors.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "gemm/operands.hpp"

namespace jute::gemm {
namespace {

constexpr int kWorkspaceAlignment = 256;

void check_address(std::string_view operand, DevicePointer address, int alignment) {
  if (address == 0)
    refuse(ErrorCode::illegal_problem, std::string(operand), "0",
           base::format("{} is read or written, so it must have an address", operand));
  const DevicePointer beyond = address % static_cast<DevicePointer>(alignment);
  if (beyond == 0) return;
  refuse(ErrorCode::misaligned, std::string(operand), base::format("{:#x}", address),
         base::format("{} must be a multiple of {} bytes; matrices need {} if the problem says so",
                      operand, alignment, 1 << std::countr_zero(address)),
         base::format("{:#x}", address - beyond));
}

/// A factor that an epilogue does not name is as fixed as one that the caller has fixed; beta may
/// then be left at its 0 also where c is named.
void check_scale(ScaleFactor factor, Factor scale, double value, bool has_epilogue) {
  if (scale == Factor::run_time) return;
  const bool is_beta = factor == ScaleFactor::beta;
  const std::string_view operand = is_beta ? "beta" : "alpha";
  const double fixed = scale == Factor::one && !(is_beta && has_epilogue) ? 1.0 : 0.0;
  if (value == fixed || (scale == Factor::one && value == 1)) return;
  const std::string why = has_epilogue ? base::format(": the epilogue does not name {}", operand)
                                       : std::string(", as in the problem that was prepared");
  refuse(ErrorCode::illegal_problem, std::string(operand), base::format("{}", value),
         base::format("{} must be {}{}", operand, fixed, why), base::format("{}", fixed));
}

/// Kernels scale in the accumulator's type, f16 sums in f32: a factor that would become another
/// number there, but for the last digits of a float, is refused.
void check_held(std::string_view operand, DType compute, DType accumulate, double value) {
  const double held = rounded_scale(compute, value);
  const bool is_held = is_integer(compute)
                           ? held == value
                           : std::isinf(held) == std::isinf(value) && (held == 0) == (value == 0);
  if (is_held) return;
  // A factor of 0 would leave nothing of what it scales.
  const double least = is_integer(compute) ? 1.0 : std::numeric_limits<float>::denorm_min();
  const double nearest = std::isinf(held) ? std::copysign(std::numeric_limits<float>::max(), held)
                         : held == 0      ? std::copysign(least, value)
                                          : held;
  refuse(ErrorCode::illegal_problem, std::string(operand), base::format("{}", value),
         base::format("{} must be a number of type {}: that is what {} accumulators are scaled in",
                      operand, name(scale_type(compute)), name(accumulate)),
         base::format("{}", nearest));
}

}  // namespace

Index gathered_values(EpilogueGather gather, const RunValues& run) {
  if (gather == EpilogueGather::elements) return 0;
  if (is_of_rows(gather)) return run.m;
  return is_of_columns(gather) ? run.n : 1;
}

RunRules::RunRules(const Plan& plan, Index workspace_bytes)
    : problem_(plan.problem),
      workspace_(plan.workspace),
      workspace_bytes_(workspace_bytes),
      zeroed_bytes_(jute::zeroed_bytes(plan)),
      compute_(gemm_step(plan).epilogue.compute),
      c_read_(c_read(plan.problem)),
      numbers_(number_rules(plan)) {
  for (const Step& step : plan.steps)
    if (const auto* moves = std::get_if<MoveStep>(&step)) {
      for (const Move& move : moves->moves)
        if (move.tensor <= TensorRole::b && move.own_alignment == 0)
          moved_.at(static_cast<size_t>(move.tensor)) = true;
      for (const OperandSum& sum : moves->sums) summed_.at(static_cast<size_t>(sum.tensor)) = true;
    }
}

void RunRules::check(const RunValues& run) const {
  jute::check(numbers_, run);
  check_scales(run);
  check_addresses(run);
  if (!workspace_.empty()) check_workspace(run);
}

RunRules::Need RunRules::need(const RunValues& run) const {
  const Index zeroed = jute::zeroed_bytes(workspace_, run);
  return {zeroed, jute::workspace_bytes(workspace_, run) + zeroed_bytes_ - zeroed};
}

bool RunRules::has_room(const RunValues& run) const {
  const auto [zeroed, all] = need(run);
  return zeroed <= zeroed_bytes_ && all <= workspace_bytes_;
}

void RunRules::check_scales(const RunValues& run) const {
  const bool has_epilogue = problem_.epilogue.has_value();
  check_scale(ScaleFactor::alpha, problem_.alpha, run.alpha, has_epilogue);
  check_scale(ScaleFactor::beta, problem_.beta, run.beta, has_epilogue);
  check_held("alpha", compute_, *problem_.accumulate, run.alpha);
  check_held("beta", compute_, *problem_.accumulate, run.beta);
}

/// A matrix without elements needs no address. Sums of operands are formed for an empty D too.
void RunRules::check_addresses(const RunValues& run) const {
  if (run.batch == 0) return;
  const bool has_d = run.m > 0 && run.n > 0;
  if (problem_.groups && has_d)
    check_address("ends", run[TensorRole::ends].base, entry_alignment(*problem_.groups));
  if (problem_.epilogue) check_epilogue_addresses(run);
  if (problem_.groups && problem_.groups->kind == GroupKind::each) return;  // the list has them
  for (const auto& [operand, lines] :
       {std::pair(TensorRole::a, run.m), std::pair(TensorRole::b, run.n)})
    if (run.k > 0 && lines > 0 && (has_d || summed_.at(static_cast<size_t>(operand))))
      check_operand(operand, run);
  if (!has_d) return;
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem_, role);
    const bool is_of_operand = role <= TensorRole::b || is_of_blocks(role);
    if (matrix == nullptr || is_of_operand || is_input(role) || is_output(role)) continue;
    if (role != TensorRole::c || reads_c(c_read_, run.beta))
      check_address(name(role), run[role].base, matrix->alignment_bytes);
  }
  if (problem_.a.rows)
    check_address("rows_a", run[TensorRole::rows_a].base, bytes_of(problem_.a.rows->index));
  if (problem_.d.rows)
    check_address("rows_d", run[TensorRole::rows_d].base, bytes_of(problem_.d.rows->index));
}

void RunRules::check_epilogue_addresses(const RunValues& run) const {
  const auto& [expression, inputs, outputs] = *problem_.epilogue;
  const bool has_d = run.m > 0 && run.n > 0;
  const EpilogueExpression read = has_d ? expression : part_of_sums(expression);
  for (const EpilogueInput& input : read.inputs) {
    const int place = find_input(expression, input.name);
    if (const EpilogueOperand& operand = inputs[static_cast<size_t>(place)]; !operand.by_value)
      check_address(input.name, run[input_role(place)].base, operand.alignment_bytes);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const EpilogueOutput& output = expression.outputs[i];
    const Index lines = output_extent(expression, output) == EpilogueExtent::rows ? run.m : run.n;
    const bool has_values = has_d || gathered_values(output.gather, run) > 0 ||
                            (is_of_sums(expression, output) && lines > 0);
    if (has_values && !is_d(output))
      check_address(output.name, run[output_role(static_cast<int>(i))].base,
                    outputs[i].alignment_bytes);
  }
}

void RunRules::check_copied(TensorRole operand, DevicePointer packed) const {
  const std::string place = base::format("packed_{}", name(operand));
  const bool is_operand = operand == TensorRole::a || operand == TensorRole::b;
  if (!is_operand || !moved_.at(static_cast<size_t>(operand)))
    refuse(ErrorCode::illegal_problem, place, base::format("{:#x}", packed),
           base::format("runs must be given {} itself: they read it as it lies, and packed_bytes "
                        "says 0 of it",
                        name(operand)),
           "0");
  check_address(place, packed, kWorkspaceAlignment);
}

void RunRules::check_operand(TensorRole operand, const RunValues& run) const {
  const CopyPlace& copy = run.copies.at(static_cast<size_t>(operand));
  if (copy.is_made) check_copied(operand, copy.base);
  if (copy.is_made && !summed_.at(static_cast<size_t>(operand))) return;
  for (const TensorRole role : kAllTensors)
    if (const Matrix* const matrix = matrix_of(problem_, role);
        matrix != nullptr &&
        (role == operand || (is_of_blocks(role) && operand_of_blocks(role) == operand)))
      check_address(name(role), run[role].base, matrix->alignment_bytes);
}

void RunRules::check_packing(TensorRole operand, DevicePointer packed, const RunValues& run) const {
  check_copied(operand, packed);
  jute::check(numbers_, run);
  check_operand(operand, run);
}

void RunRules::check_workspace(const RunValues& run) const {
  if (workspace_bytes_ > 0) check_address("workspace", run.workspace, kWorkspaceAlignment);
  if (!has_room(run))
    refuse(
        ErrorCode::out_of_range, "workspace", std::to_string(need(run).all),
        base::format("a run must need no more than the {} bytes of workspace that were prepared; "
                     "prepare for the largest sizes",
                     workspace_bytes_),
        std::to_string(workspace_bytes_));
}

}  // namespace jute::gemm

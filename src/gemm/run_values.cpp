// The numbers of one run: the planned ones, and what its arguments put in their place.
#include "gemm/run_values.hpp"

#include <jute/base/refuse.hpp>
#include <jute/gemm/gemm_args.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/format.hpp"

namespace jute::gemm {
namespace {

/// Puts `given` in the place of a planned number. Returns whether it did.
bool replace(Index& planned, const std::optional<Index>& given) {
  if (given) planned = *given;
  return given.has_value();
}

std::string counts_of(const ViewModes& modes) {
  return base::format("{},{},{}", modes.rows.size(), modes.columns.size(), modes.batch.size());
}

/// Puts the run's View in the place of the planned one. Returns whether it did.
bool replace(std::optional<View>& planned, const View* given, TensorRole role) {
  if (given == nullptr) return false;
  const std::string operand = base::format("view_{}", name(role));
  if (!planned || planned->numbers != ViewNumbers::run_time)
    refuse(ErrorCode::illegal_problem, operand, to_string(*given),
           "a run must leave it out: the kernel holds where the "
           "operand lies, but for a View with numbers=run-time");
  const std::string counts = counts_of(modes_of(*planned));
  if (const std::string own = counts_of(modes_of(*given)); own != counts)
    refuse(ErrorCode::illegal_problem, operand, own + " modes",
           "a run's View must have as many modes of rows, columns and "
           "batch as the prepared one",
           counts + " modes");
  planned = *given;
  planned->numbers = ViewNumbers::run_time;
  return true;
}

/// The planned problem with the numbers of `args`, its rules checked again if there are any.
Problem problem_of_run(const Problem& planned, const GemmArgs& args) {
  Problem problem = planned;
  bool changed = replace(problem.m, args.m);
  changed |= replace(problem.n, args.n);
  changed |= replace(problem.k, args.k);
  changed |= replace(problem.batch, args.batch);
  for (const TensorRole role : kAllTensors)
    if (Matrix* const matrix = matrix_of(problem, role)) {
      const RunStrides said = strides_in(const_cast<GemmArgs&>(args), role);
      changed |= replace(matrix->ld_elems, *said.ld);
      changed |= replace(matrix->batch_stride_elems, *said.batch_stride);
    }
  for (const RunOperand& row : kRunOperands)
    if (row.view != nullptr)
      changed |= replace(matrix_of(problem, row.role)->view, args.*row.view, row.role);
  return changed ? completed(problem) : problem;
}

/// Does the run say another number, or View, than was planned?
bool says_numbers(const Problem& planned, const GemmArgs& args) {
  const auto has = [](const auto&... given) { return (given.has_value() || ...); };
  if (has(args.m, args.n, args.k, args.batch)) return true;
  for (const RunOperand& row : kRunOperands)
    if ((row.strides != nullptr && has(*row.said(args).ld, *row.said(args).batch_stride)) ||
        (row.view != nullptr && args.*row.view != nullptr))
      return true;
  const auto any = [&](const auto& operands, const auto& given) {
    return std::any_of(given.begin(), given.begin() + std::ssize(operands),
                       [&](const auto& one) { return has(one.ld, one.batch_stride); });
  };
  return planned.epilogue && (any(planned.epilogue->inputs, args.inputs) ||
                              any(planned.epilogue->outputs, args.outputs));
}

}  // namespace

RunValues run_values(const Problem& planned, const GemmArgs& args) {
  // Most runs are as they were planned; a copy of the problem takes longer than all else here.
  RunValues run = says_numbers(planned, args) ? jute::run_values(problem_of_run(planned, args))
                                              : jute::run_values(planned);
  for (const RunOperand& row : kRunOperands) run[row.role].base = args.*row.base;
  if (planned.epilogue) {
    for (size_t i = 0; i < planned.epilogue->inputs.size(); ++i) {
      run[input_role(static_cast<int>(i))].base = args.inputs[i].base;
      run.input_values[i] = args.inputs[i].value;
    }
    for (size_t i = 0; i < planned.epilogue->outputs.size(); ++i)
      run[output_role(static_cast<int>(i))].base = args.outputs[i].base;
  }
  run.alpha = args.alpha;
  run.beta = args.beta;
  run.workspace = args.workspace;
  run.copies = {CopyPlace{args.packed_a, args.packed_a != 0},
                CopyPlace{args.packed_b, args.packed_b != 0}};
  return run;
}

}  // namespace jute::gemm

namespace jute {
namespace {

const RunOperand& row_of(TensorRole role) {
  return *std::ranges::find(kRunOperands, role, &RunOperand::role);
}

/// What the epilogue reads or writes there; null of other tensors.
EpilogueArg* epilogue_arg(GemmArgs& args, TensorRole role) {
  const auto place = [&](TensorRole first) {
    return static_cast<size_t>(role) - static_cast<size_t>(first);
  };
  if (is_input(role)) return &args.inputs[place(TensorRole::first_input)];
  return is_output(role) ? &args.outputs[place(TensorRole::first_output)] : nullptr;
}

}  // namespace

DevicePointer& address_in(GemmArgs& args, TensorRole role) {
  EpilogueArg* const arg = epilogue_arg(args, role);
  return arg != nullptr ? arg->base : args.*row_of(role).base;
}

RunStrides strides_in(GemmArgs& args, TensorRole role) {
  EpilogueArg* const arg = epilogue_arg(args, role);
  return arg != nullptr ? RunStrides{&arg->ld, &arg->batch_stride} : row_of(role).strides(args);
}

void put_addresses(GemmArgs& args, const ByTensor<DevicePointer>& addresses) {
  for (const TensorRole role : kAllTensors) address_in(args, role) = addresses[role];
}

void put_strides(GemmArgs& args, const Problem& problem) {
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem, role);
    if (matrix == nullptr || matrix->view) continue;
    const RunStrides strides = strides_in(args, role);
    *strides.ld = matrix->ld_elems;
    if (!matrix->broadcast) *strides.batch_stride = matrix->batch_stride_elems;
  }
}

}  // namespace jute

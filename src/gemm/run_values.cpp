// The numbers of one run: the planned ones, and what its arguments put in their place.
#include "gemm/run_values.hpp"

#include <jute/gemm/run_operands.hpp>
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
bool replace(std::optional<View>& planned, const View* given, const char* name) {
  if (given == nullptr) return false;
  if (!planned || planned->numbers != ViewNumbers::run_time)
    throw Exception({.code = ErrorCode::illegal_problem,
                     .operand = name,
                     .value = to_string(*given),
                     .violated_rules = {"a run must leave it out: the kernel holds where the "
                                        "operand lies, but for a View with numbers=run-time"}});
  const std::string counts = counts_of(modes_of(*planned));
  if (const std::string own = counts_of(modes_of(*given)); own != counts)
    throw Exception({.code = ErrorCode::illegal_problem,
                     .operand = name,
                     .value = own + " modes",
                     .violated_rules = {"a run's View must have as many modes of rows, columns and "
                                        "batch as the prepared one"},
                     .nearest_legal = counts + " modes"});
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
  for (const RunOperand& row : kRunOperands)
    if (Matrix* const matrix = row.matrix != nullptr ? row.matrix(problem) : nullptr) {
      changed |= replace(matrix->ld_elems, *row.said(args).ld);
      changed |= replace(matrix->batch_stride_elems, *row.said(args).batch_stride);
    }
  changed |= replace(problem.a.view, args.view_a, "view_a");
  changed |= replace(problem.b.view, args.view_b, "view_b");
  changed |= replace(problem.c.view, args.view_c, "view_c");
  changed |= replace(problem.d.view, args.view_d, "view_d");
  if (problem.epilogue) {
    const auto replace_all = [&](std::vector<EpilogueOperand>& operands, const auto& given) {
      for (size_t i = 0; i < operands.size(); ++i) {
        changed |= replace(operands[i].ld_elems, given[i].ld);
        changed |= replace(operands[i].batch_stride_elems, given[i].batch_stride);
      }
    };
    replace_all(problem.epilogue->inputs, args.inputs);
    replace_all(problem.epilogue->outputs, args.outputs);
  }
  return changed ? completed(problem) : problem;
}

/// Does the run say another number, or View, than was planned?
bool says_numbers(const Problem& planned, const GemmArgs& args) {
  const auto has = [](const auto&... given) { return (given.has_value() || ...); };
  if (has(args.m, args.n, args.k, args.batch) || args.view_a != nullptr || args.view_b != nullptr ||
      args.view_c != nullptr || args.view_d != nullptr)
    return true;
  for (const RunOperand& row : kRunOperands)
    if (row.strides != nullptr && has(*row.said(args).ld, *row.said(args).batch_stride))
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

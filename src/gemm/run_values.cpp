// The numbers of one run: the planned ones, and what its arguments put in their place.
#include "gemm/run_values.hpp"

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

/// Scales and zero points, and what a run says of where they lie.
auto numbers_of_blocks(auto& problem, const GemmArgs& args) {
  return std::array{std::pair{&problem.scale_a.scale, &args.strides_scale_a},
                    std::pair{&problem.scale_b.scale, &args.strides_scale_b},
                    std::pair{&problem.scale_a.zero, &args.strides_zero_a},
                    std::pair{&problem.scale_b.zero, &args.strides_zero_b}};
}

/// The planned problem with the numbers of `args`, its rules checked again if there are any.
Problem problem_of_run(const Problem& planned, const GemmArgs& args) {
  Problem problem = planned;
  bool changed = replace(problem.m, args.m);
  changed |= replace(problem.n, args.n);
  changed |= replace(problem.k, args.k);
  changed |= replace(problem.batch, args.batch);
  changed |= replace(problem.a.ld_elems, args.lda);
  changed |= replace(problem.b.ld_elems, args.ldb);
  changed |= replace(problem.c.ld_elems, args.ldc);
  changed |= replace(problem.d.ld_elems, args.ldd);
  changed |= replace(problem.a.batch_stride_elems, args.batch_stride_a);
  changed |= replace(problem.b.batch_stride_elems, args.batch_stride_b);
  changed |= replace(problem.c.batch_stride_elems, args.batch_stride_c);
  changed |= replace(problem.d.batch_stride_elems, args.batch_stride_d);
  changed |= replace(problem.a.view, args.view_a, "view_a");
  changed |= replace(problem.b.view, args.view_b, "view_b");
  changed |= replace(problem.c.view, args.view_c, "view_c");
  changed |= replace(problem.d.view, args.view_d, "view_d");
  for (const auto& [numbers, strides] : numbers_of_blocks(problem, args))
    if (*numbers) {
      changed |= replace((*numbers)->ld_elems, strides->ld);
      changed |= replace((*numbers)->batch_stride_elems, strides->batch_stride);
    }
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
  if (has(args.m, args.n, args.k, args.batch, args.lda, args.ldb, args.ldc, args.ldd,
          args.batch_stride_a, args.batch_stride_b, args.batch_stride_c, args.batch_stride_d) ||
      args.view_a != nullptr || args.view_b != nullptr || args.view_c != nullptr ||
      args.view_d != nullptr)
    return true;
  for (const ArgStrides* strides :
       {&args.strides_scale_a, &args.strides_scale_b, &args.strides_zero_a, &args.strides_zero_b})
    if (has(strides->ld, strides->batch_stride)) return true;
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
  run[TensorRole::a].base = args.a;
  run[TensorRole::b].base = args.b;
  run[TensorRole::c].base = args.c;
  run[TensorRole::d].base = args.d;
  run[TensorRole::scale_a].base = args.scale_a;
  run[TensorRole::scale_b].base = args.scale_b;
  run[TensorRole::zero_a].base = args.zero_a;
  run[TensorRole::zero_b].base = args.zero_b;
  if (planned.epilogue) {
    for (size_t i = 0; i < planned.epilogue->inputs.size(); ++i) {
      run[input_role(static_cast<int>(i))].base = args.inputs[i].base;
      run.input_values[i] = args.inputs[i].value;
    }
    for (size_t i = 0; i < planned.epilogue->outputs.size(); ++i)
      run[output_role(static_cast<int>(i))].base = args.outputs[i].base;
  }
  run[TensorRole::ends].base = args.ends;
  run[TensorRole::rows_a].base = args.rows_a;
  run[TensorRole::rows_d].base = args.rows_d;
  run.alpha = args.alpha;
  run.beta = args.beta;
  run.workspace = args.workspace;
  run.copies = {CopyPlace{args.packed_a, args.packed_a != 0},
                CopyPlace{args.packed_b, args.packed_b != 0}};
  return run;
}

}  // namespace jute::gemm

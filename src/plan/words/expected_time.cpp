// The time of a plan's run: by the cost model, and by what the chip's units and memory do at most.
#include <jute/plan/ask/operand_extents.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>

#include "plan/derive/drain/draining.hpp"

namespace jute {
namespace {

double matrix_bytes(const Matrix& matrix, Index rows, Index columns, Index batch) {
  return static_cast<double>(matrix.broadcast ? 1 : batch) * static_cast<double>(rows) *
         static_cast<double>(columns) * width_bytes(matrix.type);
}

double operand_bytes_of(const EpilogueOperandPlan& operand, const OperandExtents& extents,
                        Index matrices) {
  constexpr double kBit = 0.125;
  return static_cast<double>(matrices) * static_cast<double>(extents.rows) *
         static_cast<double>(extents.cols) *
         (operand.is_bits ? kBit : static_cast<double>(width_bytes(operand.type)));
}

/// Of what an epilogue reads and writes beside C and D.
double epilogue_bytes(const Problem& problem, const EpiloguePlan& epilogue) {
  const EpilogueExpression& expression = epilogue.expression;
  double bytes = 0;
  for (size_t i = 0; i < std::min(expression.inputs.size(), epilogue.inputs.size()); ++i) {
    const EpilogueInput& input = expression.inputs[i];
    const bool is_each = input.batched || input.extent == EpilogueExtent::elements;
    bytes += operand_bytes_of(epilogue.inputs[i], extents_of(problem, input),
                              is_each ? problem.batch : 1);
  }
  for (size_t i = 0; i < std::min(expression.outputs.size(), epilogue.outputs.size()); ++i)
    if (!is_d(epilogue.outputs[i]))
      bytes += operand_bytes_of(epilogue.outputs[i], extents_of(problem, expression.outputs[i]),
                                problem.batch);
  return bytes;
}

double least_bytes(const Problem& problem, const GemmStep& step) {
  const Index m = problem.m, n = problem.n, k = problem.k, batch = problem.batch;
  if (m == 0 || n == 0 || batch == 0) return 0;
  const bool reads_c = names(step.epilogue.expression, EpilogueOp::c);
  return matrix_bytes(problem.a, m, k, batch) + matrix_bytes(problem.b, k, n, batch) +
         (reads_c ? matrix_bytes(problem.c, m, n, batch) : 0) +
         matrix_bytes(problem.d, m, n, batch) + epilogue_bytes(problem, step.epilogue);
}

double multiply_adds(const Problem& problem, const GemmStep& step) {
  return static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k) * static_cast<double>(problem.batch) *
         static_cast<double>(std::max<size_t>(step.products.size(), 1));
}

// Clocks of launch and start that the models of these main loops have and a run does not take where
// the one ahead of it hides them: of 390 bf16 problems on an H200, measured in rows of runs, the
// median is then 9 % off. Others were fitted to such rows.
constexpr double kHiddenByLast = 3200;
constexpr double kLeastShown = 0.2;  // of the model's clocks, what is left at least

/// Of the model's clocks those that a run adds to a row of runs.
double added_clocks(const Plan& plan, double clocks) {
  const GemmStep& step = gemm_step(plan);
  const bool is_hidden = step.mma.atom().form != MmaForm::fma &&
                         !plan::is_copied_by_threads(step.schedule.main_loop) &&
                         head_of(plan.steps.front()).order == LaunchOrder::overlap_previous;
  return std::max(clocks - (is_hidden ? kHiddenByLast : 0), kLeastShown * clocks);
}

}  // namespace

ExpectedTime expected_time(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const ChipFigures& chip = chip_figures(plan.device);
  const bool is_by_threads = step.mma.atom().form == MmaForm::fma;
  ExpectedTime time{.multiply_adds = multiply_adds(plan.problem, step),
                    .mhz = is_by_threads ? chip.thread_mhz : chip.mhz,
                    .bytes = least_bytes(plan.problem, step),
                    .memory_gb_s = chip.memory_gb_s};
  constexpr double kBytesOfUs = 1e3;  // at a GB/s
  time.memory_us = time.bytes / (chip.memory_gb_s * kBytesOfUs);
  if (const auto rate = greatest_rate(chip, step.mma.atom().form, step.a.type, step.accumulate)) {
    time.multiply_adds_clock = *rate;
    time.multiply_adds_us =
        time.multiply_adds / (*rate * std::max(plan.device.sm_count, 1) * time.mhz);
  }
  time.bound_us = std::max(time.multiply_adds_us, time.memory_us);
  if (time.bound_us > 0)
    time.bound = time.multiply_adds_us > time.memory_us ? Bound::multiply_adds : Bound::memory;
  if (time.bound == Bound::none) return time;
  if (const auto prediction = prediction_of(plan)) time.clocks = prediction->clocks;
  const double mhz = is_by_threads ? chip.thread_mhz : chip.seen_mhz;
  time.us = std::max(added_clocks(plan, time.clocks) / mhz, time.bound_us);
  return time;
}

}  // namespace jute

// The time of a plan's run: by the cost model, and by what the chip's units and memory do at most.
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>

#include "plan/ask/groups.hpp"
#include "plan/values/block_threads.hpp"

namespace jute {
namespace {

double multiply_adds(const Problem& given, const GemmStep& step) {
  const Problem problem = plan::usual_group(given);
  return static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k) * static_cast<double>(problem.batch) *
         static_cast<double>(std::max<size_t>(step.products.size(), 1));
}

// Clocks of launch and start that the models of TMA's and straight kernels leave out: what runs
// ahead hides them where it lets the plan begin.
constexpr double kHiddenByLast = 3400;

bool begins_late(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  return step.mma.atom().form != MmaForm::fma &&
         !plan::is_copied_by_threads(step.schedule.main_loop) &&
         head_of(plan.steps.front()).order != LaunchOrder::overlap_previous;
}

ExpectedTime time_of_part(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  const ChipFigures chip = chip_figures(plan.device);
  const bool is_by_threads = step.mma.atom().form == MmaForm::fma;
  ExpectedTime time{.multiply_adds = multiply_adds(plan.problem, step),
                    .mhz = (is_by_threads ? chip.thread_mhz : chip.mhz).value,
                    .bytes = least_bytes(plan.problem),
                    .memory_gb_s = chip.memory_gb_s.value};
  constexpr double kBytesOfUs = 1e3;  // at a GB/s
  time.memory_us = time.bytes / (time.memory_gb_s * kBytesOfUs);
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
  const double hidden = begins_late(plan) ? kHiddenByLast : 0;
  time.us = std::max((time.clocks + hidden) / chip.seen_mhz.value, time.bound_us);
  return time;
}

}  // namespace

ExpectedTime expected_time(const Plan& plan) {
  ExpectedTime time = time_of_part(plan);
  for (const Plan& part : plan.behind) {
    const ExpectedTime more = time_of_part(part);
    for (double ExpectedTime::*const sum :
         {&ExpectedTime::us, &ExpectedTime::clocks, &ExpectedTime::bound_us,
          &ExpectedTime::multiply_adds, &ExpectedTime::multiply_adds_us, &ExpectedTime::bytes,
          &ExpectedTime::memory_us})
      time.*sum += more.*sum;
  }
  if (!plan.behind.empty() && time.bound_us > 0)
    time.bound = time.multiply_adds_us > time.memory_us ? Bound::multiply_adds : Bound::memory;
  return time;
}

}  // namespace jute

#pragma once
// Products of Views on a real GPU, with how many of them TMA moved.
#include <functional>
#include <string>

#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gpu.hpp"
#include "support/moved_views.hpp"
#include "support/notation_run.hpp"

namespace jute::test {

/// Runs in a child; what failed, and in the last line how many of the cases TMA moved.
inline void expect_views_on_gpu(int cases, int least_by_maps,
                                const std::function<NotationRuns(Context&)>& work) {
  constexpr int kSecondsOfViews = 300;
  const std::string text = on_gpu(
      [&] {
        Context context(open_device(), with_kept_kernels());
        const NotationRuns runs = work(context);
        return runs.failures + (runs.by_maps >= least_by_maps ? "ok: " : "too few: ") +
               std::to_string(runs.by_maps) + " of " + std::to_string(cases) + " by TMA";
      },
      kSecondsOfViews);
  WARN(text);
  CHECK(text.starts_with("ok: "));
}

inline NotationRuns runs_of_views(Context& context, const GemmCase& one) {
  NotationRuns runs;
  runs.failures = describe(one, run_case(context, one, make_data(one)));
  if (runs.failures.empty())
    runs.by_maps = moved_by_maps(make_plan(one.problem, context.device_info(), one.config,
                                           context.catalogue())) > 0
                       ? 1
                       : 0;
  return runs;
}

}  // namespace jute::test

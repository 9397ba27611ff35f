#pragma once
// What the tile of a step does, once the step is derived.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

/// Of a step whose accesses, stages and schedule are there.
[[nodiscard]] Work work_of(const GemmStep& step, const DeviceInfo& device);

/// As if the step had been planned for a run of so many of the problem's rows.
void set_rows(GemmStep& step, Index m, const DeviceInfo& device);

/// Of warps that load their own fragments, once these accesses are there.
[[nodiscard]] StraightWork straight_work(const GemmStep& step);
/// Of a step whose `operand` is read in lines.
[[nodiscard]] LineWork line_work(const GemmStep& step, Operand operand);

}  // namespace jute::plan

#pragma once
// A block's work once its step is derived: by the accesses, stages and schedule that it really has.
#include <jute/plan/values/block.hpp>
#include <jute/plan/values/plan.hpp>

#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

[[nodiscard]] Block block_of(const GemmStep& step, const DeviceInfo& device);
/// The same; of a gated step of the half that its extents are of.
[[nodiscard]] Block block_of_half(const GemmStep& step, const DeviceInfo& device);
[[nodiscard]] Grid grid_of(const GemmStep& step);
[[nodiscard]] Cut cut_of(const GemmStep& step);

/// As if the step had been planned for a run of so many of the problem's rows.
void set_rows(GemmStep& step, Index m, const DeviceInfo& device);

/// Does the law say what it takes? Tiles of warpgroups have a model of their own, and a step that
/// was changed by hand may have none.
[[nodiscard]] bool is_of_law(const GemmStep& step);
[[nodiscard]] bool is_of_warpgroups(const GemmStep& step);

/// The step as one of the product of both halves of a gated one.
[[nodiscard]] GemmStep of_whole_product(const GemmStep& step);
/// The problem that such a step multiplies, as far as models ask.
[[nodiscard]] KernelProblem multiplied_by(const GemmStep& step);

}  // namespace jute::plan

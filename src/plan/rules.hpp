#pragma once
// What a legal plan obeys. Every rule names its operand, its value and the nearest legal value.
#include <jute/plan/plan.hpp>

#include <vector>

namespace jute::plan {

/// The rules that must hold before anything can be derived from a step.
[[nodiscard]] std::vector<Error> tile_rules(const GemmStep& step);
/// The rules of the shared-memory layouts of a step that keeps the tile rules.
[[nodiscard]] std::vector<Error> smem_rules(const GemmStep& step);
/// All rules of a completed step.
[[nodiscard]] std::vector<Error> step_rules(const GemmStep& step, const DeviceInfo& device);

/// Throws all of them as one illegal_config; the first gives operand, value and nearest legal
/// value.
void refuse_if_any(const std::vector<Error>& errors);

}  // namespace jute::plan

#pragma once
// What steps take, by rates alone.
#include <jute/dist/distributed_plan.hpp>

namespace jute::dist {

/// Microseconds of an exchange: of the rank that sends or gets the most.
[[nodiscard]] double exchange_us(const DistributedPlan& plan, std::size_t step);
/// Time of stores at other ranks by a step's kernels, on the fullest way from one to one; or 0.
[[nodiscard]] double stores_us(const DistributedPlan& plan, std::size_t step);
/// Time of a kernel: by its multiply-adds or by its bytes, and a launch.
[[nodiscard]] double roofline_us(const Problem& problem, const DeviceInfo& device);

}  // namespace jute::dist

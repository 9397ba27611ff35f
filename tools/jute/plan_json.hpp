#pragma once
// A plan as JSON.
#include <jute/plan/plan.hpp>

#include "json_writer.hpp"

namespace jute::command {

[[nodiscard]] Json to_json(const DeviceInfo& device);
[[nodiscard]] Json to_json(const Problem& problem);
/// Every field of the plan; layouts are texts.
[[nodiscard]] Json to_json(const Plan& plan);

}  // namespace jute::command

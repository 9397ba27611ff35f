#pragma once
// The law's family and the amounts of a step, by the work that was kept of it.
#include <jute/plan/values/work.hpp>

#include <optional>

#include "plan/cost/tiles/staged_amounts.hpp"

namespace jute::plan {

/// The law's family of a kept work, and what it does; none of other families.
struct LawWork {
  FamilyLaw law;
  Amounts amounts;
};
[[nodiscard]] std::optional<LawWork> law_work(const Work& work, const DeviceInfo& device);

}  // namespace jute::plan

#pragma once
// Sums that a transport adds itself.
#include <jute/dist/distributed_plan.hpp>

#include <string>
#include <vector>

namespace jute::dist {

struct CollectiveChoice {
  CollectiveStep step{};
  std::string fault{};  ///< why there is none; empty: the step does it
};
/// The collective that does what these parcels of summands, one buffer's, and their sum into
/// another one do.
[[nodiscard]] CollectiveChoice collective_of(const DistributedPlan& plan, std::size_t from,
                                             std::size_t to, const std::vector<Parcel>& parcels);
/// Why a step is no such collective; empty: it is.
[[nodiscard]] std::string fault_of(const DistributedPlan& plan, const CollectiveStep& step);

}  // namespace jute::dist

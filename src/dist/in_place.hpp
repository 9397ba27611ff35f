#pragma once
// What kernels can read where another rank has it, or store where another rank needs it.
#include <jute/dist/distributed_plan.hpp>

#include <string>

namespace jute::dist {

/// Why the parcels cannot be read where their senders have them; empty: they can.
[[nodiscard]] std::string fault_in_place(const DistributedPlan& plan, const ExchangeStep& exchange);
/// Why the products that make the parcels cannot store them where they go; empty: they can.
[[nodiscard]] std::string fault_of_stores(const DistributedPlan& plan,
                                          const ExchangeStep& exchange);

}  // namespace jute::dist

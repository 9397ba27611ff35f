#pragma once
// Products whose kernels wait for an operand's rows piece by piece.
#include <jute/dist/distributed_plan.hpp>

#include <string>
#include <vector>

namespace jute::dist {

/// Why a step with arriving rows cannot run; empty where it can.
[[nodiscard]] std::vector<std::string> faults_of_arrival(const DistributedPlan& plan,
                                                         const DistributedStep& step);

/// The kernel of a product whose rows arrive; says in the exchange how many of them make a piece.
///   throws  illegal_config: no kernel of the problem can wait for them
[[nodiscard]] Plan plan_of_arrival(DistributedPlan& plan, const ProductStep& product,
                                   const Problem& problem, const Config& wishes,
                                   const Catalogue& catalogue);

/// The last piece's share of the product's work.
[[nodiscard]] double share_of_piece(const DistributedPlan& plan, const ProductStep& product);
/// That come to the rank to which the most come.
[[nodiscard]] Index pieces_of(const DistributedPlan& plan, const ExchangeStep& exchange);

}  // namespace jute::dist

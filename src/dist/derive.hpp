#pragma once
// From a share to buffers and steps; kernels are problems still.
#include <jute/dist/distributed_plan.hpp>
#include <jute/epilogue/expression.hpp>

#include <optional>
#include <vector>

namespace jute::dist {

struct Draft {
  DistributedPlan plan;
  std::vector<Problem> kernels;  ///< of the plan's; completed
  Index least_bytes = 0;         ///< that no plan of this share does without
};

/// Who adds summands of D up.
enum class Adders : std::uint8_t {
  spread,    ///< each rank a part, which then goes where D lies
  everybody  ///< each rank what it needs itself, of summands that stay where they were made
};

/// The steps of a completed problem whose share is chosen.
///   throws  illegal_config: D is to be left as summands that the share does not make
[[nodiscard]] Draft derive(const DistributedProblem& problem, const DeviceInfo& device,
                           Adders adders = Adders::spread);

/// The same where everybody adds; none where there are no summands, or they cannot be read where
/// they are.
[[nodiscard]] std::optional<Draft> in_one_shot(const Draft& draft);

/// The same with an exchange and the product beside it cut by rounds, of each exchange that can be.
[[nodiscard]] std::vector<Draft> in_chunks(const Draft& draft);

/// The same with a product for each rank that adds, whose kernel stores there, of each exchange of
/// summands that it can be.
[[nodiscard]] std::vector<Draft> by_stores(const Draft& draft);

/// The same with products that wait for an operand's rows themselves, of each exchange that brings
/// whole rows of one. How many make a piece is left to the kernel: `announced_rows` is the most.
[[nodiscard]] std::vector<Draft> by_arrival(const Draft& draft);

/// The parts of a product: (M,K), (N,K) and (M,N) of a share.
struct ShareNeeds {
  Distribution a, b, d;  ///< d with the axes that K is cut by as summands
};
[[nodiscard]] ShareNeeds needs_of(const DistributedProblem& problem);

/// Where each element of D is summed: where it lies, and of copies each takes a part.
[[nodiscard]] Distribution adding_ranks(const DistributedProblem& problem,
                                        const Distribution& target, const std::vector<int>& added);

/// The part of an epilogue's input that such a D needs: its rows, its columns, both or neither.
[[nodiscard]] Distribution part_of_input(const Mesh& mesh, EpilogueExtent extent,
                                         const Distribution& d);

/// Elements that ranks need and do not hold.
[[nodiscard]] Index missing_elements(const Mesh& mesh, const Distribution& held,
                                     const Distribution& needed);
/// The same for D, in bytes: summands to one rank, what they become to all that are to have it.
[[nodiscard]] Index least_bytes_of_d(const DistributedProblem& problem, const Distribution& made,
                                     const Distribution& target);

}  // namespace jute::dist

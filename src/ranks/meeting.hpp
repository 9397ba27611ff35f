#pragma once
// Where the ranks of a plan meet, and what lies in their windows then.
#include <jute/dist/distributed_plan.hpp>
#include <jute/gemm/context.hpp>
#include <jute/launch/communicator.hpp>

#include <map>
#include <optional>

#include "ranks/barrier.hpp"

namespace jute::ranks {

/// The place of one rank in a window, bytes from the start of the half that the turn has.
struct Meeting {
  struct Place {
    Index rank = 0, bytes = 0;
  };
  const ExchangeStep* step = nullptr;
  Kernel barrier;
  Index half_bytes = 0;
  std::map<std::size_t, Place> buffers;          ///< that its kernels find in windows
  std::map<const ProductStep*, Place> products;  ///< whose kernels store their results there
};
/// The step whose parcels kernels carry; none: the plan has no such. `plan` outlives it.
[[nodiscard]] std::optional<Meeting> meeting_of(Context& context, const DistributedPlan& plan,
                                                Index rank);

[[nodiscard]] DevicePointer address_of(const ShownHalf& half, const Meeting::Place& place);

}  // namespace jute::ranks

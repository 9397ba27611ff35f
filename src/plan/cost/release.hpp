#pragma once
// When the next kernel may begin.
#include <jute/launch/device_info.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

namespace jute::plan {

/// May the next kernel begin with this one's first blocks, if this one takes so many clocks until
/// slices meet? Its blocks then begin wherever an SM is free. That costs more than it saves where
/// blocks side by side load the same rows: behind a main loop they begin in their order, sixteen by
/// sixteen on the SMs of one part of the chip.
[[nodiscard]] bool begins_early(const KernelCost& cost, Index m, Index batch, double clocks);

/// What a kernel takes longer, in rounds of so many blocks, that may begin at once but finds those
/// of the one before on all SMs.
[[nodiscard]] double clocks_without_room(const KernelCost& cost, double blocks, double waves);

/// What a kernel of so many clocks takes longer if it begins behind the main loop of the one
/// before.
[[nodiscard]] double clocks_of_late_start(double clocks);
/// When the next kernel may begin behind tiles without tensor cores of warpgroups, by the blocks
/// that they are: who waits for an SM anyway leaves nothing to the next kernel.
[[nodiscard]] Release release_for(double blocks, const DeviceInfo& device);

}  // namespace jute::plan

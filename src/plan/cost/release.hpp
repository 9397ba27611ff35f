#pragma once
// When the next kernel may begin, and whether it finds room beside this one.
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/block.hpp>

#include "plan/cost/memory_cost.hpp"
#include "plan/cost/rounds.hpp"

namespace jute::plan {

/// May the next kernel begin with this one's first blocks, if this one takes so many clocks until
/// slices meet? Its blocks then begin wherever an SM is free. That costs more than it saves where
/// blocks side by side load the same rows: behind a main loop they begin in their order, sixteen by
/// sixteen on the SMs of one part of the chip.
[[nodiscard]] bool begins_early(const Block& block, const Grid& grid, const Cut& cut,
                                const BothOperands& operands, const Rounds& rounds, double clocks);

/// The clocks that a kernel takes longer if it may begin at once but finds blocks of the one before
/// on all SMs.
[[nodiscard]] double clocks_without_room(const Block& block, const Grid& grid, const Cut& cut,
                                         const Rounds& rounds);

/// The clocks that a kernel of so many takes longer if it begins behind the main loop of the one
/// before.
[[nodiscard]] double clocks_of_late_start(double clocks);
/// When the next kernel may begin behind tiles without tensor cores of warpgroups, by the blocks
/// that they are: who waits for an SM anyway leaves nothing to the next kernel.
[[nodiscard]] Release release_for(double blocks, const DeviceInfo& device);

/// Are so many blocks, one for each tile, nearly as many as there are SMs?
[[nodiscard]] bool are_kept_apart(double blocks, double sms);
/// Does a block of the next kernel find an SM, or half of one, beside so many of this kernel? Those
/// that are kept apart leave none.
[[nodiscard]] bool has_co_resident_room(double blocks, double sms, bool leaves_half);

}  // namespace jute::plan

#pragma once
// What slices of K cost a tile, and which are worth a look.
#include <functional>
#include <optional>

#include "plan/candidates.hpp"

namespace jute::plan {

/// Clocks from the last product of a tile's slices to their sum, whose elements have `width` bytes.
[[nodiscard]] double clocks_to_meet(const GroupTile& tile, int width);

/// Visits the tile whole, and cut into so many slices that all run together, each with k-tiles to
/// fill its stages: by everyone who may add their sums, or by whom is `asked` for.
void for_slices(const GroupTile& tile, const KernelProblem& problem, const DeviceInfo& device,
                const std::optional<Meeting>& asked,
                const std::function<void(const GroupTile&)>& visit);

}  // namespace jute::plan

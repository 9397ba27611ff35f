#pragma once
// Parcels as regions of memory.
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/communicator.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace jute::ranks {

enum class Side : std::uint8_t { sender, receiver };

/// Where a parcel's elements lie in one of both buffers, in the order in which both count them.
[[nodiscard]] std::vector<Region> regions_of(const RankBuffer& buffer, const Parcel& parcel,
                                             Side side, DevicePointer base);
/// FNV-1a.
[[nodiscard]] std::uint64_t hash_of(std::string_view text);

}  // namespace jute::ranks

// A parcel is rows times columns of runs: each pair of runs is a region.
#include "ranks/regions.hpp"

namespace jute::ranks {

std::vector<Region> regions_of(const RankBuffer& buffer, const Parcel& parcel, Side side,
                               DevicePointer base) {
  const bool is_row = buffer.order == Order::row;
  const std::vector<IndexRun>& outer = parcel.runs[is_row ? 0 : 1];
  const std::vector<IndexRun>& inner = parcel.runs[is_row ? 1 : 0];
  const Index width = width_bytes(buffer.type);
  const auto place = [&](const IndexRun& run) { return side == Side::sender ? run.from : run.to; };
  std::vector<Region> regions;
  for (const IndexRun& lines : outer)
    for (const IndexRun& along : inner)
      regions.push_back({base + static_cast<DevicePointer>(
                                    (place(lines) * buffer.ld_elems + place(along)) * width),
                         lines.count, along.count * width, buffer.ld_elems * width});
  return regions;
}

std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kStart = 14695981039346656037ULL, kPrime = 1099511628211ULL;
  std::uint64_t hash = kStart;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  return hash;
}

}  // namespace jute::ranks

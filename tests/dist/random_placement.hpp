#pragma once
// Random meshes and placements, and what each rank has by a plain loop.
#include <jute/dist/distribution.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace jute::test {

inline Index drawn(std::mt19937& random, Index least, Index most) {
  return std::uniform_int_distribution<Index>(least, most)(random);
}

/// 1 to 9 ranks, 1 to 3 axes.
inline Mesh random_mesh(std::mt19937& random) {
  for (;;) {
    Mesh mesh;
    const Index axes = drawn(random, 1, 3);
    for (Index i = 0; i < axes; ++i)
      mesh.axes.push_back({std::string(1, static_cast<char>('x' + i)), drawn(random, 1, 5)});
    if (rank_count(mesh) <= 9) return mesh;
  }
}

/// Each axis cuts one of the dimensions, in parts or blocks, or none.
inline Placement random_placement(std::mt19937& random, const Mesh& mesh,
                                  const std::vector<Dimension>& dims) {
  Placement placement;
  for (const MeshAxis& axis : mesh.axes) {
    const auto which = static_cast<std::size_t>(drawn(random, 0, static_cast<Index>(dims.size())));
    if (which == dims.size()) continue;
    placement.deals.push_back(
        {dims[which], axis.name, drawn(random, 0, 2) == 0 ? drawn(random, 1, 4) : 0});
  }
  std::ranges::shuffle(placement.deals, random);
  // A block is a multiple of what is cut out of it.
  for (const Dimension dimension : dims) {
    Index unit = 1;
    for (auto deal = placement.deals.rbegin(); deal != placement.deals.rend(); ++deal) {
      if (deal->dimension != dimension) continue;
      if (deal->block != 0) deal->block *= unit;
      unit = mesh.axes[static_cast<std::size_t>(axis_of(mesh, deal->axis))].size *
             (deal->block != 0 ? deal->block : unit);
    }
  }
  return placement;
}

/// The indices of a rank's part, in its order.
inline std::vector<Index> part_of(const Mesh& mesh, const Spread& spread, Index rank) {
  std::vector<Index> result;
  const std::vector<Index> at = coordinates(mesh, rank);
  const std::vector<Index> axes = spread.layout[0].flat_stride();
  Index first = 0;
  for (std::size_t i = 0; i < at.size(); ++i) first += at[i] * axes[i];
  const Layout local = spread.layout[1];
  for (Index place = 0; place < size(local); ++place)
    if (first + local(place) < spread.extent) result.push_back(first + local(place));
  return result;
}

}  // namespace jute::test

#pragma once
// Which elements of a matrix each rank has: a (rank, local) layout for each dimension.
#include <jute/base/export.hpp>
#include <jute/dist/placement.hpp>

#include <array>
#include <span>
#include <vector>

namespace JUTE_API jute {

/// One dimension over the mesh. A part lies in its rank's memory in the order of `local`.
struct Spread {
  Index extent = 0;
  /// ((axis, …), local) -> index, an extent for each axis of the mesh; stride 0: a copy on each.
  /// Layouts round up: indices past the extent are clipped, and end each part.
  Layout layout{};
  bool operator==(const Spread&) const = default;
};

/// A matrix over the mesh.
struct Distribution {
  std::array<Spread, 2> dims{};  ///< rows, columns
  std::vector<int> sums{};       ///< axes along which ranks hold summands
  bool operator==(const Distribution&) const = default;
};

/// How many indices of the dimension a rank has.
[[nodiscard]] Index part_size(const Spread& spread, std::span<const Index> coordinates);
/// The index that stands at a place of a rank's part.
[[nodiscard]] Index index_at(const Spread& spread, std::span<const Index> coordinates, Index place);
/// The most that any rank has.
[[nodiscard]] Index largest_part(const Mesh& mesh, const Spread& spread);

/// The dimension cut by those of the deals that are along it.
///   throws  unknown_name: no such axis; illegal_config: an axis twice
[[nodiscard]] Spread spread(const Mesh& mesh, Index extent, Dimension dimension,
                            std::span<const Deal> deals);

/// A dimension of a matrix, and how long it is.
struct NamedExtent {
  Dimension dimension = Dimension::m;
  Index extent = 0;
};
/// The placement of a matrix of those rows and columns.
///   throws  illegal_config: a deal along another dimension, an axis that serves twice, a layout
///           that leaves elements out, names others or walks along both dimensions at once;
///           unknown_name
[[nodiscard]] Distribution distribution(const Mesh& mesh, const Placement& placement,
                                        const std::array<NamedExtent, 2>& dims);

/// ((axis, …), (rows, columns)) -> row + rows * column, rows rounded up where parts are uneven.
[[nodiscard]] Layout rank_layout(const Distribution& distribution);

}  // namespace jute

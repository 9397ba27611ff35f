#pragma once
// A mesh: the ranks of a distributed product, as coordinates along named axes.
#include <jute/base/export.hpp>
#include <jute/layout/layout.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

struct MeshAxis {
  std::string name;  ///< letters, digits and _, a letter first
  Index size = 1;
  bool operator==(const MeshAxis&) const = default;
};

/// The first axis is the fastest: of `row=2,col=2` rank 1 is (1,0).
struct Mesh {
  std::vector<MeshAxis> axes{};
  bool operator==(const Mesh&) const = default;
};

inline constexpr int kMostAxes = 6;
inline constexpr Index kMostRanks = 1024;

/// How many there are.
[[nodiscard]] Index rank_count(const Mesh& mesh);
/// An extent for each axis: (2,2); of one axis that alone: 4.
[[nodiscard]] IntTuple shape(const Mesh& mesh);
/// Along each axis.
[[nodiscard]] std::vector<Index> coordinates(const Mesh& mesh, Index rank);
[[nodiscard]] Index rank_at(const Mesh& mesh, const std::vector<Index>& coordinates);
/// The place of the axis of that name.   throws  unknown_name: offers the nearest
[[nodiscard]] int axis_of(const Mesh& mesh, std::string_view name);

/// `tp=4`, `row=2,col=2`
[[nodiscard]] std::string to_string(const Mesh& mesh);
std::ostream& operator<<(std::ostream& out, const Mesh& mesh);
/// Reads it.
///   throws  syntax: with the position; out_of_range: a size below 1, more than 1024 ranks or 6
///           axes; illegal_config: two axes of one name
[[nodiscard]] Mesh parse_mesh(std::string_view text);

}  // namespace jute

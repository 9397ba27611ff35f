#pragma once
// Where a matrix lies among ranks, and what each rank computes, in words: no extents yet.
#include <jute/base/export.hpp>
#include <jute/dist/mesh.hpp>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

enum class Dimension : std::uint8_t { m, n, k };
[[nodiscard]] std::string_view name(Dimension dimension);  ///< M, N, K

/// A dimension cut over an axis: into one part a rank, or into blocks that are dealt round.
struct Deal {
  Dimension dimension = Dimension::m;
  std::string axis;
  Index block = 0;  ///< 0: one part each, the last ones shorter or empty
  bool operator==(const Deal&) const = default;
};
/// `M@tp`, `K@tp/128`
[[nodiscard]] std::string to_string(const Deal& deal);

/// Over axes that it does not name each rank has a copy.
struct Placement {
  std::vector<Deal> deals{};        ///< of a dimension cut twice the wider part first
  std::vector<std::string> sums{};  ///< axes along which ranks hold summands: `+tp`
  /// In place of deals: (rank, local) -> row + rows * column.
  std::optional<Layout> layout{};
  bool operator==(const Placement&) const = default;
};
/// `M@row,K@col`, `N@tp,+z`, `all`, `(4,(2048,8192)):(2048,(1,8192))`
[[nodiscard]] std::string to_string(const Placement& placement);
std::ostream& operator<<(std::ostream& out, const Placement& placement);
/// Reads it.   throws  syntax, unknown_name (a dimension), out_of_range (a block), with the
/// position
[[nodiscard]] Placement parse_placement(std::string_view text);

/// The placements of all matrices. A and B have a copy on each rank unless named, C lies as D does.
struct Placements {
  Placement a{}, b{}, d{};
  std::optional<Placement> c{};
  bool operator==(const Placements&) const = default;
};
/// `A=M@tp,B=N@tp,D=N@tp`: those that are not `all`.
[[nodiscard]] std::string to_string(const Placements& placements);
/// Reads it.   throws  as parse_placement; unknown_name: no such matrix; illegal_config: it twice
[[nodiscard]] Placements parse_placements(std::string_view text);

/// Who computes what of (M, N, K). Along axes that it does not name ranks compute the same. A block
/// as long as its dimension leaves all but the first rank of the axis idle.
struct Share {
  std::vector<Deal> deals{};
  bool operator==(const Share&) const = default;
};
[[nodiscard]] std::string to_string(const Share& share);  ///< `M@row,N@col`, `all`
/// Reads it.   throws  as parse_placement; syntax: it is a layout or has summands
[[nodiscard]] Share parse_share(std::string_view text);

}  // namespace jute

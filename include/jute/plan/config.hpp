#pragma once
// The choices of a plan that a caller may make; whatever is left empty the planner chooses.
#include <jute/layout/swizzle.hpp>
#include <jute/layout/tiler.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace jute {

/// Which of the problem's numbers become literals of the kernel.
enum class Specialize : std::uint8_t {
  usual,  ///< N, K and ldb; M, batch, the other strides stay run-time
  none,   ///< one kernel for every shape of an alignment class
  all,    ///< every extent and stride
};

/// Block tile in elements.
struct TileShape {
  int m = 0, n = 0, k = 0;
  bool operator==(const TileShape&) const = default;
};

struct Config {
  Specialize specialize = Specialize::usual;
  std::optional<std::string> mma_atom;  ///< CuTe name, from the catalogue
  std::optional<Layout> atom_layout;    ///< atoms along (M,N,K): "(2,4,1):(1,2,0)"
  std::optional<Tiler> permutation;     ///< TiledMma's permutation: "(32,32,_)"
  std::optional<TileShape> tile;
  std::optional<int> stages;
  std::optional<int> raster_group;       ///< tiles along M that run together
  std::optional<ComposedLayout> smem_a;  ///< (tile.m,tile.k) -> element, one stage
  std::optional<ComposedLayout> smem_b;  ///< (tile.n,tile.k) -> element, one stage
  std::optional<bool> pad;               ///< copy operands with unaligned rows first
  bool operator==(const Config&) const = default;
};

}  // namespace jute

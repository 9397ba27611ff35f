// Extends a TiledMma's (thread, value) layouts from its own tile to the block tile.
#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

namespace jute {
namespace {

/// Rows and columns of the operand in the TiledMma's tile and in the block tile.
struct Extents {
  int rows, columns, block_rows, block_columns;
};

Extents extents(const ShapeMnk& unit, Operand operand, const TileShape& tile) {
  switch (operand) {
    case Operand::a:
      return {unit.m, unit.k, tile.m, tile.k};
    case Operand::b:
      return {unit.n, unit.k, tile.n, tile.k};
    default:
      return {unit.m, unit.n, tile.m, tile.n};
  }
}

}  // namespace

Fragment fragment(const TiledMma& mma, Operand operand, const TileShape& tile) {
  const Extents size_of = extents(tile_shape(mma), operand, tile);
  const Layout unit = layout_tv(mma, operand);
  // The unit's column-major index becomes the block tile's.
  const Layout in_block(IntTuple{size_of.rows, size_of.columns}, IntTuple{1, size_of.block_rows});
  const Layout threads = composition(in_block, unit[0]);
  const Layout values = composition(in_block, unit[1][0]);
  const Layout more_rows(size_of.block_rows / size_of.rows, size_of.rows);
  const Layout more_columns(size_of.block_columns / size_of.columns,
                            Index{size_of.columns} * size_of.block_rows);
  const Layout repeats = make_layout({composition(in_block, unit[1][1][0]), more_rows});
  const Layout steps = make_layout({composition(in_block, unit[1][1][1]), more_columns});
  Fragment result;
  result.tv = make_layout({threads, make_layout({values, repeats, steps})});
  result.values = static_cast<int>(size(values));
  result.repeats = static_cast<int>(size(repeats));
  result.steps = static_cast<int>(size(steps));
  return result;
}

}  // namespace jute

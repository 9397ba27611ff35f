// A packing's layouts: tiles laid side by side, and the way from one packing to another.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/packing/packing.hpp>

#include <numeric>
#include <string>

namespace jute {
namespace {

using layout::refuse;

struct TileExtents {
  Index n, k;
};
TileExtents extents_of_tile(const Packing& packing) {
  return {size(packing.tile[0]), size(packing.tile[1])};
}

void require_tiles(const char* name, Index extent, Index tile) {
  if (extent < 1)
    refuse(ErrorCode::out_of_range, name, std::to_string(extent), "it must be 1 or more", "1");
  if (extent % tile == 0) return;
  refuse(ErrorCode::not_divisible, name, std::to_string(extent),
         "it must be a multiple of " + std::to_string(tile) + ", that tiles may fill it",
         std::to_string(ceil_div(extent, tile) * tile));
}

Index elements_of_unit(const Packing& packing) {
  return packing.unit_bits / width_bits(packing.type);
}

/// Elements between the first of one row of the array and of the next.
Index elements_of_row(const Packing& packing, const PackedExtents& extents) {
  const TileExtents tile = extents_of_tile(packing);
  return packing.order == TileOrder::along_n ? checked_mul(extents.n, tile.k)
                                             : checked_mul(extents.k, tile.n);
}

void require_filled(const Packing& packing, const PackedExtents& extents) {
  const TileExtents tile = extents_of_tile(packing);
  const Index unit = elements_of_unit(packing);
  const bool is_along_n = packing.order == TileOrder::along_n;
  // A row of tiles fills whole units, too.
  const Index of_row = is_along_n ? tile.k : tile.n;
  const Index filling = unit / std::gcd(unit, of_row);
  require_tiles("N", extents.n, is_along_n ? std::lcm(tile.n, filling) : tile.n);
  require_tiles("K", extents.k, is_along_n ? tile.k : std::lcm(tile.k, filling));
}

}  // namespace

Layout packed_layout(const Packing& packing, const PackedExtents& extents) {
  require_filled(packing, extents);
  const TileExtents tile = extents_of_tile(packing);
  const Index along_n = extents.n / tile.n, along_k = extents.k / tile.k;
  const Index elems = tile.n * tile.k;
  const bool is_along_n = packing.order == TileOrder::along_n;
  const auto mode = [](const Layout& of_tile, Index count, Index stride) {
    return make_layout({of_tile, Layout(IntTuple(count), IntTuple(stride))});
  };
  return make_layout(
      {mode(packing.tile[0], along_n, is_along_n ? elems : checked_mul(elems, along_k)),
       mode(packing.tile[1], along_k, is_along_n ? checked_mul(elems, along_n) : elems)});
}

Layout repacking(const Packing& from, const Packing& to, const PackedExtents& extents) {
  return composition(packed_layout(to, extents), left_inverse(packed_layout(from, extents)));
}

PackedArray packed_array(const Packing& packing, const PackedExtents& extents) {
  require_filled(packing, extents);
  const TileExtents tile = extents_of_tile(packing);
  const Index rows = packing.order == TileOrder::along_n ? extents.k / tile.k : extents.n / tile.n;
  return {rows, elements_of_row(packing, extents) / elements_of_unit(packing)};
}

PackedExtents packed_extents(const Packing& packing, const PackedArray& array) {
  const TileExtents tile = extents_of_tile(packing);
  const bool is_along_n = packing.order == TileOrder::along_n;
  const Index row = checked_mul(array.columns, elements_of_unit(packing));
  const Index height = is_along_n ? tile.k : tile.n;
  require_tiles("rows of the array", array.rows, 1);
  require_tiles("elements in a row of the array", row, tile.n * tile.k);
  const Index down = checked_mul(array.rows, height), across = row / height;
  return is_along_n ? PackedExtents{across, down} : PackedExtents{down, across};
}

Index packed_bytes(const Packing& packing, const PackedExtents& extents) {
  const PackedArray array = packed_array(packing, extents);
  return checked_mul(checked_mul(array.rows, array.columns), packing.unit_bits / 8, "bytes");
}

}  // namespace jute

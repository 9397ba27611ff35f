// Rows, granules and subtiles from a tile's extents.
#include "plan/derive/operand/swizzled_layout.hpp"

#include <jute/plan/values/stored_stages.hpp>

#include <bit>
#include <numeric>

#include "plan/derive/operand/stage_layout.hpp"
#include "plan/derive/operand/view_map.hpp"

namespace jute::plan {

ComposedLayout swizzled_layout(int tile_mn, int tile_k, Major major, DType type, int granule_bytes,
                               int matrix_mn, Index run) {
  const int width = width_bytes(type), along_mn = matrix_mn > 0 ? matrix_mn : tile_mn;
  const int longest = std::gcd(128 / width, major == Major::k ? tile_k : along_mn);
  const int row = static_cast<int>(std::gcd(Index{longest}, run));
  const int granule = granule_bytes / width;
  const auto log2 = [](int value) { return std::countr_zero(static_cast<unsigned>(value)); };
  const bool is_power = std::has_single_bit(static_cast<unsigned>(row)) && row >= granule;
  const int bits = is_power ? log2(row) - log2(granule) : 0;
  const Swizzle swizzle =
      bits > 0 ? Swizzle(bits, log2(granule), log2(128 / width) - log2(granule)) : Swizzle();
  const Layout layout = major == Major::k ? Layout(IntTuple{tile_mn, IntTuple{row, tile_k / row}},
                                                   IntTuple{row, IntTuple{1, row * tile_mn}})
                                          : Layout(IntTuple{IntTuple{row, tile_mn / row}, tile_k},
                                                   IntTuple{IntTuple{1, row * tile_k}, row});
  return {swizzle, 0, layout};
}

ComposedLayout usual_tma_layout(const GemmStep& step, Operand which) {
  const bool is_a = which == Operand::a;
  const OperandPlan& operand = is_a ? step.a : step.b;
  const MmaAtom& atom = step.mma.atom();
  const int matrix_mn = in_registers(register_of(atom, which)) ? 0
                        : is_a                                 ? atom.shape.m
                                                               : atom.shape.n;
  const Index run =
      tma_of(operand).boxed
          ? run_of_view(*tma_of(operand).boxed, operand.major == Major::k ? Order::row : Order::col)
          : 0;
  const int along_k = static_cast<int>(staged_along_k(operand, step.tile.k));
  const ComposedLayout tile =
      swizzled_layout(is_a ? step.tile.m : step.tile.n, along_k, operand.major,
                      staged_type(operand), 16, matrix_mn, run);
  return staged(step, which, tile);
}

}  // namespace jute::plan

// Copy layouts: vectors dealt to threads in memory order.
#include "plan/derive/operand/copy_plan.hpp"

#include <jute/layout/algebra.hpp>

#include <numeric>

namespace jute::plan {
namespace {

/// Rows of a tile, as memory has them, in the tile's column-major index.
struct RowsCopied {
  Index length, count;  ///< elements of a row, rows
  Index along, across;  ///< steps of the index from element to element, and from row to row
};

/// Vectors by running number: threads take neighbours, then each goes on a round further. Nothing
/// where a round ends inside a row: the coordinates of a thread would not be a layout.
std::optional<Layout> dealt_in_turn(const RowsCopied& rows, Index vector, Index threads) {
  const Index round = vector * threads;
  const Layout order(IntTuple{rows.length, rows.count}, IntTuple{rows.along, rows.across});
  const Layout dealt(IntTuple{threads, IntTuple{vector, rows.length * rows.count / round}},
                     IntTuple{vector, IntTuple{1, round}});
  // Rows that do not go on in one another keep composition from crossing their ends.
  const Layout apart(IntTuple{rows.length, rows.count}, IntTuple{1, 2 * rows.length});
  if (!try_composition(apart, dealt)) return std::nullopt;
  return try_composition(order, dealt);
}

/// As many threads along a row as divide it, the others in further rows.
std::optional<Layout> dealt_by_rows(const RowsCopied& rows, Index vector, Index threads) {
  const Index vectors = rows.length / vector;
  const Index in_row = std::gcd(vectors, threads), in_rows = threads / in_row;
  if (rows.count % in_rows != 0) return std::nullopt;
  return Layout(
      IntTuple{IntTuple{in_row, in_rows}, IntTuple{vector, vectors / in_row, rows.count / in_rows}},
      IntTuple{IntTuple{vector * rows.along, rows.across},
               IntTuple{rows.along, vector * in_row * rows.along, in_rows * rows.across}});
}

}  // namespace

std::optional<CopyLayout> copy_layout(int tile_mn, int tile_k, Major major, int limit,
                                      int threads) {
  const RowsCopied rows = major == Major::k ? RowsCopied{tile_k, tile_mn, tile_mn, 1}
                                            : RowsCopied{tile_mn, tile_k, 1, tile_mn};
  for (int vector = limit; vector >= 1; vector /= 2) {
    if (rows.length * rows.count % (Index{vector} * threads) != 0 || rows.length % vector != 0)
      continue;
    std::optional<Layout> tv = dealt_in_turn(rows, vector, threads);
    if (!tv) tv = dealt_by_rows(rows, vector, threads);
    if (tv) return CopyLayout{*std::move(tv), vector};
  }
  return std::nullopt;
}

Layout copied_in_halves(const Layout& tv, int tile_mn, int tile_k) {
  const Layout in_both(IntTuple{tile_mn, tile_k}, IntTuple{1, 2 * tile_mn});
  return make_layout({composition(in_both, tv[0]),
                      make_layout({composition(in_both, tv[1]), Layout(2, tile_mn)})});
}

}  // namespace jute::plan

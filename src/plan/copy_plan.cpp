// Copy layouts: vectors dealt to threads in memory order.
#include "plan/copy_plan.hpp"

#include <jute/layout/algebra.hpp>

namespace jute::plan {

std::optional<CopyLayout> copy_layout(int tile_mn, int tile_k, Major major, int limit,
                                      int threads) {
  const Index elements = Index{tile_mn} * tile_k;
  const int row = major == Major::k ? tile_k : tile_mn;
  for (int vector = limit; vector >= 1; vector /= 2) {
    const Index round = Index{vector} * threads;
    if (elements % round != 0 || row % vector != 0) continue;
    // Memory order -> index into the column-major tile.
    const Layout order = major == Major::k ? Layout(IntTuple{tile_k, tile_mn}, IntTuple{tile_mn, 1})
                                           : Layout(IntTuple{tile_mn, tile_k});
    const Layout dealt(IntTuple{threads, IntTuple{vector, elements / round}},
                       IntTuple{vector, IntTuple{1, round}});
    if (std::optional<Layout> tv = try_composition(order, dealt)) return CopyLayout{*tv, vector};
  }
  return std::nullopt;
}

}  // namespace jute::plan

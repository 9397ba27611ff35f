// What each operation costs on layouts of 100, 1000 and 10000 leaves: n log n at most.
#include "layout_bench.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/xor_form.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace jute::bench {

namespace {

/// A size fits 64 bits, so that at most 62 of many modes have more than one coordinate. `sparse`
/// has 30 of extent 2 between extents of 1, its strides in reverse order; `dense` has extents of 4
/// everywhere, for what never asks for the size.
struct Wide {
  explicit Wide(int leaves) {
    std::vector<Layout> thin;
    std::vector<Layout> full;
    std::vector<IntTuple> twos(static_cast<std::size_t>(leaves), IntTuple(2));
    std::vector<IntTuple> origin(static_cast<std::size_t>(leaves), IntTuple(0));
    const int apart = leaves / 30;
    for (int i = 0; i < leaves; ++i) {
      const bool doubled = i % apart == 0 && i / apart < 30;
      thin.emplace_back(doubled ? 2 : 1, doubled ? Index{1} << (29 - i / apart) : Index{64});
      full.emplace_back(IntTuple(4), IntTuple(8 * (i + 1)));
    }
    sparse = make_layout(thin);
    dense = make_layout(full);
    halves = Tiler(IntTuple::tuple(twos));
    zeros = IntTuple::tuple(origin);
    identity = make_identity_layout(sparse.shape());
    text = to_string(sparse);
  }
  Layout sparse, dense, identity;
  Tiler halves = Tiler::wildcard();
  IntTuple zeros;
  std::string text;
};

template <class Call>
void measure(const char* name, Call&& call) {
  benchmark::RegisterBenchmark(name,
                               [call](benchmark::State& state) {
                                 const Wide wide(static_cast<int>(state.range(0)));
                                 for (auto _ : state) benchmark::DoNotOptimize(call(wide));
                                 state.SetComplexityN(state.range(0));
                               })
      ->RangeMultiplier(10)
      ->Range(100, 10000)
      ->Complexity();
}

}  // namespace

void register_wide_benchmarks() {
  measure("wide/parse", [](const Wide& w) { return Layout(w.text); });
  measure("wide/print", [](const Wide& w) { return to_string(w.sparse); });
  measure("wide/coalesce", [](const Wide& w) { return coalesce(w.dense); });
  measure("wide/filter", [](const Wide& w) { return filter(w.dense); });
  measure("wide/flatten", [](const Wide& w) { return flatten(w.dense); });
  measure("wide/composition", [](const Wide& w) { return composition(w.sparse, w.sparse); });
  measure("wide/composition after dense",
          [](const Wide& w) { return composition(w.dense, w.sparse); });
  measure("wide/composition by mode", [](const Wide& w) { return composition(w.dense, w.halves); });
  measure("wide/composition by unit vectors",
          [](const Wide& w) { return composition(w.dense, w.identity); });
  measure("wide/complement", [](const Wide& w) { return complement(w.sparse); });
  measure("wide/right_inverse", [](const Wide& w) { return right_inverse(w.sparse); });
  measure("wide/left_inverse", [](const Wide& w) { return left_inverse(w.sparse); });
  measure("wide/logical_divide", [](const Wide& w) { return logical_divide(w.dense, w.halves); });
  measure("wide/zipped_divide", [](const Wide& w) { return zipped_divide(w.dense, w.halves); });
  measure("wide/tiled_divide", [](const Wide& w) { return tiled_divide(w.dense, w.halves); });
  measure("wide/flat_divide", [](const Wide& w) { return flat_divide(w.dense, w.halves); });
  measure("wide/logical_product", [](const Wide& w) { return logical_product(w.dense, w.halves); });
  measure("wide/zipped_product", [](const Wide& w) { return zipped_product(w.dense, w.halves); });
  measure("wide/blocked_product",
          [](const Wide& w) { return blocked_product(w.sparse, Layout("2:1")); });
  measure("wide/raked_product",
          [](const Wide& w) { return raked_product(w.sparse, Layout("2:1")); });
  measure("wide/tile_to_shape",
          [](const Wide& w) { return tile_to_shape(w.sparse, w.sparse.shape()); });
  measure("wide/equivalent", [](const Wide& w) { return equivalent(w.dense, flatten(w.dense)); });
  measure("wide/make_ordered_layout",
          [](const Wide& w) { return make_ordered_layout(w.sparse.shape(), w.sparse.stride()); });
  measure("wide/make_layout_like", [](const Wide& w) { return make_layout_like(w.sparse); });
  measure("wide/make_fragment_like", [](const Wide& w) { return make_fragment_like(w.sparse); });
  measure("wide/crd2idx", [](const Wide& w) { return crd2idx(w.zeros, w.dense); });
  measure("wide/crd2idx of unit vectors",
          [](const Wide& w) { return crd2idx(w.zeros, w.identity); });
  measure("wide/idx2crd", [](const Wide& w) { return idx2crd(IntTuple(5), w.sparse.shape()); });
  measure("wide/coshape of unit vectors", [](const Wide& w) { return coshape(w.identity); });
  measure("wide/slice", [](const Wide& w) { return slice(w.zeros, w.dense); });
  measure("wide/group", [](const Wide& w) { return group(w.dense, 1, w.dense.rank()); });
  measure("wide/upcast", [](const Wide& w) { return upcast(w.dense, 4); });
  measure("wide/max_common_vector",
          [](const Wide& w) { return max_common_vector(w.sparse, w.sparse); });
  measure("wide/max_alignment", [](const Wide& w) { return max_alignment(w.sparse); });
  measure("wide/nullspace", [](const Wide& w) { return nullspace(w.sparse); });
  measure("wide/is_injective", [](const Wide& w) { return is_injective(w.sparse); });
  measure("wide/is_bijective", [](const Wide& w) { return is_bijective(w.sparse); });
  measure("wide/xor_form", [](const Wide& w) { return xor_form(w.sparse); });
  measure("wide/compile", [](const Wide& w) { return compile(w.sparse); });
}

}  // namespace jute::bench

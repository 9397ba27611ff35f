// Widths, order and chunks of what threads load straight from global memory.
#include "plan/derive/operand/fragment_loads.hpp"

#include <jute/layout/algebra.hpp>

#include <numeric>

#include "plan/chip/line.hpp"
#include "plan/derive/operand/read_order.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

/// The layout of an operand's tile as it lies in global memory, rows of which are far apart.
Layout lying(Major major, int tile_mn, int tile_k) {
  const Index row_length = Index{1} << 20;  // rows keep vectors apart
  return {IntTuple{tile_mn, tile_k},
          major == Major::k ? IntTuple{row_length, 1} : IntTuple{1, row_length}};
}

struct Loaded {
  OperandPlan& plan;
  Fragment fragment;
  int mn, k;       ///< of its tile
  int halves = 1;  ///< of a gated product's, which lie apart
};

/// In accesses of at most so many bytes.
ReadOrder widest_loads(const Loaded& operand, int bytes) {
  const Major major = operand.plan.major;
  const int along = major == Major::k ? operand.k : operand.mn / operand.halves;
  return load_order(lying(major, operand.mn, operand.k), operand.fragment,
                    std::gcd(elements_in(bytes, operand.plan.type), along));
}

StraightWay& way_of(OperandPlan& operand) { return std::get<StraightWay>(operand.way); }

void load_in(OperandPlan& operand, const ReadOrder& order) {
  operand.vector_elems = order.elems;
  way_of(operand).copy_tv = order.tv;
  way_of(operand).order = order.value;
}

/// In aligned chunks, wherever rows begin.
void load_whole(OperandPlan& operand, const ReadOrder& chunks) {
  load_in(operand, chunks);
  way_of(operand).shifted = false;
  way_of(operand).from_chunk = true;
}

bool are_chunks(const ReadOrder& order, DType type) {
  return order.elems * width_bytes(type) == kChunk;
}

/// Chunks that begin anywhere are cut out of others where the fragments' own order has their
/// elements one behind the other.
bool may_be_cut(const ReadOrder& order, DType type) {
  return order.value == Layout() && are_chunks(order, type);
}

/// Neighbours in memory are loaded together.
void load_fragment(const Loaded& loaded, int access_bytes) {
  OperandPlan& operand = loaded.plan;
  set_transfer(operand, Transfer::straight);
  StraightWay& way = way_of(operand);
  const ReadOrder chunks = widest_loads(loaded, kChunk);
  way.from_chunk = false;
  way.shifted =
      access_bytes < kChunk && is_worth_cutting(operand.type) && may_be_cut(chunks, operand.type);
  load_in(operand, way.shifted ? chunks : widest_loads(loaded, access_bytes));
}

/// Chunks of an operand along K: so many neighbouring ones of 16 bytes are the first of a thread's,
/// each of another one's.
Index first_chunks(const Loaded& loaded) {
  const auto along_k =
      try_composition(Layout(IntTuple{loaded.mn, loaded.k}, IntTuple{0, 1}), loaded.fragment.tv[0]);
  if (!along_k) return 0;
  const std::vector<Index> shape = along_k->flat_shape(), stride = along_k->flat_stride();
  const Index of_chunk = elements_of_chunk(loaded.plan.type);
  Index end = of_chunk;
  for (size_t i = 0; i < shape.size();) {
    const bool goes_on = shape[i] > 1 && stride[i] == end;
    end *= goes_on ? shape[i] : 1;
    i = goes_on ? 0 : i + 1;
  }
  return end / of_chunk;
}

/// Do rows that are so far from each other begin as far behind a chunk of 16 bytes?
bool begin_alike(const OperandPlan& operand, Index apart) {
  const Index ld = operand.ld.baked ? operand.ld.value : operand.ld.multiple_of;
  return apart * ld * width_bytes(operand.type) % kChunk == 0;
}

/// The distance that the coordinates of a tile's elements have in common, less the first's: along M
/// or N, or K.
std::optional<Index> apart(const Loaded& loaded, Major along, const Layout& elements) {
  const IntTuple strides = along == Major::mn ? IntTuple{1, 0} : IntTuple{0, 1};
  const auto places = try_composition(Layout(IntTuple{loaded.mn, loaded.k}, strides), elements);
  if (!places) return std::nullopt;
  Index apart = 0;
  for (const Index stride : coalesce(*places).flat_stride()) apart = std::gcd(apart, stride);
  return apart;
}

/// Where a warp's lanes share out K, the operand of the many rows is loaded in aligned chunks,
/// wherever its rows begin, and the other to fit. What no chunk holds is one element of a lane, by
/// its first chunk.
void load_from_chunks(const Loaded& streamed, int access_bytes, const Loaded& kept, Index lanes) {
  if (access_bytes >= kChunk || streamed.plan.major != Major::k || kept.plan.major != Major::k ||
      lanes < most_ends_of_row(streamed.plan.type))
    return;
  const ReadOrder chunks = widest_loads(streamed, kChunk);
  const std::optional<Index> rows = apart(streamed, Major::mn, streamed.fragment.tv[1]);
  if (!are_chunks(chunks, streamed.plan.type) || first_chunks(streamed) < lanes || !rows ||
      !begin_alike(streamed.plan, *rows))
    return;
  load_whole(streamed.plan, chunks);
  const ReadOrder cut = widest_loads(kept, kChunk);
  way_of(kept.plan).shifted = may_be_cut(cut, kept.plan.type);
  load_in(kept.plan,
          way_of(kept.plan).shifted ? cut : widest_loads(kept, width_bytes(kept.plan.type)));
}

/// Where groups of threads share out K so that all rows of a group begin alike, an operand along M
/// or N is loaded in aligned chunks as well. The last lines of a tile, which no chunk holds, are
/// dealt out once more.
void load_line_chunks(const Loaded& streamed, int access_bytes, const GemmStep& step) {
  if (access_bytes >= kChunk || streamed.plan.major != Major::mn || groups_of_k(step) == 1 ||
      !step.products.empty())
    return;
  const ReadOrder chunks = widest_loads(streamed, kChunk);
  const Layout group = composition(streamed.fragment.tv[0], Layout(draining_threads(step)));
  const std::optional<Index> rows =
      apart(streamed, Major::k, make_layout({group, streamed.fragment.tv[1]}));
  if (!are_chunks(chunks, streamed.plan.type) || !rows || !begin_alike(streamed.plan, *rows))
    return;
  load_whole(streamed.plan, chunks);
}

}  // namespace

void load_fragments(GemmStep& step, const KernelProblem& problem) {
  const TileShape tile = multiplied(step);
  const Loaded a{step.a, fragment(step.mma, Operand::a, tile), tile.m, tile.k,
                 has_halves(step, Operand::a) ? 2 : 1},
      b{step.b, fragment(step.mma, Operand::b, tile), tile.n, tile.k,
        has_halves(step, Operand::b) ? 2 : 1};
  load_fragment(a, problem.a.access_bytes);
  load_fragment(b, problem.b.access_bytes);
  const bool is_b = streams_b(step);
  const Loaded &streamed = is_b ? b : a, &kept = is_b ? a : b;
  const int access_bytes = is_b ? problem.b.access_bytes : problem.a.access_bytes;
  load_from_chunks(streamed, access_bytes, kept, size(lanes_along_k(step)));
  load_line_chunks(streamed, access_bytes, step);
}

}  // namespace jute::plan

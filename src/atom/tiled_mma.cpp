// An MMA atom tiled over threads, as layout algebra.
#include <jute/atom/tiled.hpp>

#include "atom/thread_slice.hpp"
#include "atom/tiling.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/modes.hpp>

#include <algorithm>
#include <ostream>

namespace jute {
namespace {

enum Mode : int { kM = 0, kN = 1, kK = 2 };

/// The two modes of an operand, as modes of (M,N,K).
struct OperandModes {
  int first;
  int second;
};
OperandModes modes_of(Operand operand) {
  if (operand == Operand::a) return {kM, kK};
  return operand == Operand::b ? OperandModes{kN, kK} : OperandModes{kM, kN};
}

int extent(const ShapeMnk& shape, int mode) {
  return mode == kM ? shape.m : mode == kN ? shape.n : shape.k;
}

Layout rank_three(const Layout& layout) {
  if (layout.shape().is_tuple() && layout.rank() == 3) return layout;
  if (layout.rank() > 3)
    refuse_tiling(ErrorCode::wrong_arity, "atom_layout", to_string(layout),
                  "atom_layout must have at most three modes (M,N,K)");
  return append(layout, 3);
}

Tiler rank_three(const Tiler& permutation) {
  if (permutation.kind() != Tiler::Kind::tuple)
    refuse_tiling(ErrorCode::wrong_type, "permutation", to_string(permutation),
                  "a permutation must be a tuple of tilers for M, N and K");
  std::vector<Tiler> modes = permutation.modes();
  if (modes.size() > 3)
    refuse_tiling(ErrorCode::wrong_arity, "permutation", to_string(permutation),
                  "a permutation must have at most three modes (M,N,K)");
  modes.resize(3, Tiler::wildcard());
  for (const Tiler& mode : modes)
    if (mode.kind() == Tiler::Kind::tuple)
      refuse_tiling(ErrorCode::wrong_type, "permutation", to_string(permutation),
                    "each mode of a permutation must be an extent, a layout or _");
  return Tiler(std::move(modes));
}

/// The tile of one mode; the default is what all atoms cover side by side.
Tiler permutation_of(const TiledMma& tiled, const Layout& threads, int mode) {
  const Tiler& permutation = tiled.permutation().modes()[static_cast<std::size_t>(mode)];
  if (permutation.kind() != Tiler::Kind::wildcard) return permutation;
  return Tiler(extent(tiled.atom().shape, mode) * size(threads[mode + 1]));
}

Index size_of(const Tiler& tiler) {
  return tiler.kind() == Tiler::Kind::layout ? size(tiler.layout()) : tiler.extent();
}

/// (M,N,…) -> ((ThrV,(ThrM,ThrN)),(FrgV,(RestM,RestN,…))), and alike for A and B.
ComposedLayout thrfrg(const TiledMma& tiled, const Layout& threads, Operand operand,
                      const ComposedLayout& tensor) {
  const auto [first, second] = modes_of(operand);
  const ShapeMnk& shape = tiled.atom().shape;
  const ComposedLayout permuted = logical_divide(
      tensor,
      by_mode(permutation_of(tiled, threads, first), permutation_of(tiled, threads, second)));
  const ComposedLayout atoms =
      zipped_divide(permuted, by_mode(extent(shape, first), extent(shape, second)));
  const ComposedLayout values =
      composition(atoms, by_mode(tv_layout(tiled.atom(), operand), Tiler::wildcard()));
  return zipped_divide(values, by_mode(Tiler::wildcard(), by_mode(size(threads[first + 1]),
                                                                  size(threads[second + 1]))));
}

/// Thread index -> (ThrV,ThrM,ThrN,ThrK), as one number.
Layout logical_thread(const Layout& threads) {
  const Layout whole = make_layout({threads, complement(threads)});
  return composition(Layout(IntTuple{size(threads), 1}, IntTuple{1, 0}), right_inverse(whole));
}

/// (ThrV,(first,second)) of one operand from (ThrV,(ThrM,ThrN,ThrK)): A does not depend on the
/// thread's place along N, B not on that along M.
Tiler broadcast(const Layout& threads, Operand operand) {
  const IntTuple shape{size(threads[1]), size(threads[2])};
  const IntTuple stride = operand == Operand::a ? IntTuple{1, 0} : IntTuple{0, 1};
  return by_mode(Tiler::wildcard(), by_mode(Layout(shape, stride), Tiler::wildcard()));
}

/// A quadpair's threads are not consecutive, so an index may lie beyond their number.
void check_thread(const Layout& threads, Index thread) {
  const Index end = std::max(size(threads), cosize(threads));
  if (thread < 0 || thread >= end)
    refuse_tiling(ErrorCode::out_of_range, "thread", std::to_string(thread),
                  "a thread must lie in 0.." + std::to_string(end - 1));
}

void check_rank(const ComposedLayout& tensor) {
  if (tensor.rank() < 2)
    refuse_tiling(ErrorCode::wrong_arity, "tensor", to_string(tensor),
                  "a tensor must have at least two modes");
}

void check_fragment(const TiledMma& tiled, Operand operand, const std::string& what) {
  if (in_registers(register_of(tiled.atom(), operand))) return;
  refuse_tiling(ErrorCode::wrong_type, what, tiled.atom().name,
                "the atom must hold " + what + " in registers");
}

/// A tensor in the parts of all threads, and the coordinate that selects one thread's.
struct Slice {
  IntTuple coordinate;
  ComposedLayout parts;
};

Slice sliced(const TiledMma& tiled, Operand operand, const ComposedLayout& tensor, Index thread) {
  const Layout threads = thr_layout_vmnk(tiled);
  check_thread(threads, thread);
  check_rank(tensor);
  const ComposedLayout parts = thrfrg(tiled, threads, operand, tensor);
  const IntTuple place = get_flat_coord(threads, thread);
  const auto [first, second] = modes_of(operand);
  const std::vector<IntTuple> rest(static_cast<std::size_t>(parts.layout()[1][1].rank()),
                                   IntTuple::wildcard());
  return {IntTuple{IntTuple{place[0], IntTuple{place[first + 1], place[second + 1]}},
                   IntTuple{IntTuple::wildcard(), IntTuple::tuple(rest)}},
          parts};
}

/// The registers of A or B, in the order of the tensor's strides.
Layout ordered_fragment(const TiledMma& tiled, Operand operand, const ComposedLayout& tensor) {
  const Slice slice = sliced(tiled, operand, tensor, 0);
  return make_fragment_like(atom::thread_order(slice.coordinate, slice.parts));
}

}  // namespace

TiledMma::TiledMma(MmaAtom atom, const Layout& atom_layout, const Tiler& permutation)
    : atom_(std::move(atom)),
      atom_layout_(rank_three(atom_layout)),
      permutation_(rank_three(permutation)) {}

std::string to_string(const TiledMma& tiled) {
  const MmaAtom& atom = tiled.atom();
  return "tiled_mma(" + atom.name + "," + to_string(tiled.atom_layout()) + "," +
         to_string(tiled.permutation()) + ")";
}
std::ostream& operator<<(std::ostream& out, const TiledMma& tiled) {
  return out << to_string(tiled);
}

Layout thr_layout_vmnk(const TiledMma& tiled) {
  return tiled_product(tiled.atom().thr_id, tiled.atom_layout());
}

ShapeMnk tile_shape(const TiledMma& tiled) {
  const Layout threads = thr_layout_vmnk(tiled);
  const auto extent_of = [&](int mode) {
    return static_cast<int>(size_of(permutation_of(tiled, threads, mode)));
  };
  return {extent_of(kM), extent_of(kN), extent_of(kK)};
}

Index size(const TiledMma& tiled) { return size(thr_layout_vmnk(tiled)); }

Layout layout_tv(const TiledMma& tiled, Operand operand) {
  const Layout threads = thr_layout_vmnk(tiled);
  const auto [first, second] = modes_of(operand);
  const Layout reference(IntTuple{size_of(permutation_of(tiled, threads, first)),
                                  size_of(permutation_of(tiled, threads, second))});
  ComposedLayout parts = thrfrg(tiled, threads, operand, reference);
  if (operand == Operand::a || operand == Operand::b)
    parts = composition(parts, by_mode(broadcast(threads, operand), Tiler::wildcard()));
  return composition(parts, by_mode(logical_thread(threads), Tiler::wildcard())).layout();
}

Layout layoutA_TV(const TiledMma& tiled) { return layout_tv(tiled, Operand::a); }
Layout layoutB_TV(const TiledMma& tiled) { return layout_tv(tiled, Operand::b); }
Layout layoutC_TV(const TiledMma& tiled) { return layout_tv(tiled, Operand::c); }

Partition partition(const TiledMma& tiled, Operand operand, const ComposedLayout& tensor,
                    Index thread) {
  const Slice slice = sliced(tiled, operand, tensor, thread);
  return atom::thread_slice(slice.coordinate, slice.parts);
}

Partition partition_A(const TiledMma& tiled, const ComposedLayout& tensor, Index thread) {
  return partition(tiled, Operand::a, tensor, thread);
}
Partition partition_B(const TiledMma& tiled, const ComposedLayout& tensor, Index thread) {
  return partition(tiled, Operand::b, tensor, thread);
}
Partition partition_C(const TiledMma& tiled, const ComposedLayout& tensor, Index thread) {
  return partition(tiled, Operand::c, tensor, thread);
}

Layout fragment_A(const TiledMma& tiled, const ComposedLayout& tensor) {
  check_fragment(tiled, Operand::a, "A");
  return ordered_fragment(tiled, Operand::a, tensor);
}
Layout fragment_B(const TiledMma& tiled, const ComposedLayout& tensor) {
  check_fragment(tiled, Operand::b, "B");
  return ordered_fragment(tiled, Operand::b, tensor);
}
Layout fragment_C(const TiledMma& tiled, const ComposedLayout& tensor) {
  check_fragment(tiled, Operand::c, "C");
  return Layout(partition_C(tiled, tensor, 0).layout.shape());
}

}  // namespace jute

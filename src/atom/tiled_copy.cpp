// A copy atom tiled over threads, as layout algebra.
#include <jute/atom/tiled.hpp>

#include "atom/thread_slice.hpp"
#include "atom/tiling.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/modes.hpp>

#include <ostream>

namespace jute {
namespace {

/// The atom's layouts in units of values instead of bits.
Layout in_values(const Layout& bits, const ValueType& type) {
  return recast_layout(bits, 1, type.bits);
}

/// (target thread, target value) -> (reference thread, reference value), as one number.
Layout reference_of(const TiledCopy& tiled, const Layout& target_bits) {
  const Layout reference = in_values(tiled.atom().ref_layout, tiled.type());
  return composition(right_inverse(reference), in_values(target_bits, tiled.type()));
}

/// ((TileM,TileN,…),(RestM,RestN,…)) -> (Thr,(FrgV,FrgX),(RestM,RestN,…)).
ComposedLayout tile_to_threads(const TiledCopy& tiled, const ComposedLayout& tiles,
                               const Layout& target_to_reference) {
  const Layout reference = in_values(tiled.atom().ref_layout, tiled.type());
  const Layout atoms =
      zipped_divide(tiled.layout_tv(), by_mode(size(reference[0]), size(reference[1])));
  const Layout target = composition(atoms, by_mode(target_to_reference, Tiler::wildcard()));
  // ((thread, value of an atom), (further threads, further values)) -> by threads and values
  const Layout zipped = coalesce(zip(target[0], target[1]), IntTuple{1, IntTuple{1, 1}});
  const ComposedLayout split = composition(tiles, by_mode(zipped, Tiler::wildcard()));
  const IntTuple all = IntTuple::wildcard();
  return slice_and_offset(IntTuple{IntTuple{all, all}, all}, split).layout;
}

Layout layout_of_side(const TiledCopy& tiled, const Layout& target_bits) {
  const Layout tile(IntTuple{tiled.tiler_mn(), 1});
  const ComposedLayout parts = tile_to_threads(tiled, tile, reference_of(tiled, target_bits));
  const IntTuple all = IntTuple::wildcard();
  return slice_and_offset(IntTuple{all, all, 0}, parts.layout()).layout;
}

Partition partition_of_side(const TiledCopy& tiled, const Layout& target_bits,
                            const ComposedLayout& tensor, Index thread) {
  if (thread < 0 || thread >= size(tiled))
    refuse_tiling(ErrorCode::out_of_range, "thread", std::to_string(thread),
                  "a thread must lie in 0.." + std::to_string(size(tiled) - 1));
  if (tensor.rank() < tiled.tiler_mn().rank())
    refuse_tiling(
        ErrorCode::wrong_arity, "tensor", to_string(tensor),
        "a tensor must have at least as many modes as the tile " + to_string(tiled.tiler_mn()));
  const ComposedLayout parts = tile_to_threads(
      tiled, zipped_divide(tensor, Tiler(tiled.tiler_mn())), reference_of(tiled, target_bits));
  const std::vector<IntTuple> rest(static_cast<std::size_t>(tensor.rank()), IntTuple::wildcard());
  return atom::thread_slice(IntTuple{thread, IntTuple::wildcard(), IntTuple::tuple(rest)}, parts);
}

/// (m,n) -> thread * values + value, turned round and given the shape (threads, values).
Layout thread_value_layout(const Layout& thr_layout, const Layout& val_layout) {
  const Layout by_place = raked_product(thr_layout, val_layout);
  return composition(right_inverse(by_place), Layout(IntTuple{size(thr_layout), size(val_layout)}));
}

IntTuple tile_of(const Layout& thr_layout, const Layout& val_layout) {
  return product_each(raked_product(thr_layout, val_layout).shape());
}

void check_side(const TiledCopy& tiled, const std::string& what, const Layout& bits) {
  const Layout values = in_values(bits, tiled.type());
  if (size(values[0]) == size(tiled.atom().thr_id)) return;
  refuse_tiling(ErrorCode::illegal_atom, what, std::string(tiled.type().name),
                "the bits of " + tiled.atom().name + " must be whole values of each thread");
}

void check_tile(const Layout& layout_tv, const IntTuple& tiler) {
  if (!layout_tv.shape().is_tuple() || layout_tv.rank() != 2)
    refuse_tiling(ErrorCode::wrong_arity, "layout_tv", to_string(layout_tv),
                  "a (thread,value) layout must have two modes");
  const Index reach = cosize(layout_tv);
  if (reach > size(tiler))
    refuse_tiling(
        ErrorCode::out_of_range, "tile", to_string(tiler),
        "the tile must hold the " + std::to_string(reach) +
            " elements that (thread,value) reaches; a layout of values has strides: (1,8):(8,1)");
}

}  // namespace

TiledCopy::TiledCopy(CopyAtom atom, ValueType type, Layout layout_tv, IntTuple tiler_mn)
    : atom_(std::move(atom)),
      type_(type),
      layout_tv_(std::move(layout_tv)),
      tiler_mn_(std::move(tiler_mn)) {
  check_tile(layout_tv_, tiler_mn_);
  check_side(*this, "src_layout", atom_.src_layout);
  check_side(*this, "dst_layout", atom_.dst_layout);
  check_side(*this, "ref_layout", atom_.ref_layout);
  const Layout reference = in_values(atom_.ref_layout, type_);
  if (size(layout_tv_[0]) % size(reference[0]) != 0)
    refuse_tiling(
        ErrorCode::illegal_atom, "threads", std::to_string(size(layout_tv_[0])),
        atom_.name + " needs a multiple of " + std::to_string(size(reference[0])) + " threads");
  if (size(layout_tv_[1]) % size(reference[1]) != 0)
    refuse_tiling(ErrorCode::illegal_atom, "values", std::to_string(size(layout_tv_[1])),
                  atom_.name + " needs a multiple of " + std::to_string(size(reference[1])) +
                      " values a thread");
}

TiledCopy::TiledCopy(CopyAtom atom, ValueType type, const Layout& thr_layout,
                     const Layout& val_layout)
    : TiledCopy(std::move(atom), type, thread_value_layout(thr_layout, val_layout),
                tile_of(thr_layout, val_layout)) {}

std::string to_string(const TiledCopy& tiled) {
  return "tiled_copy(" + tiled.atom().name + "," + std::string(tiled.type().name) + "," +
         to_string(tiled.layout_tv()) + "," + to_string(tiled.tiler_mn()) + ")";
}
std::ostream& operator<<(std::ostream& out, const TiledCopy& tiled) {
  return out << to_string(tiled);
}

TiledCopy make_tiled_copy_A(CopyAtom atom, ValueType type, const TiledMma& mma) {
  const ShapeMnk tile = tile_shape(mma);
  return TiledCopy(std::move(atom), type, layoutA_TV(mma), IntTuple{tile.m, tile.k});
}
TiledCopy make_tiled_copy_B(CopyAtom atom, ValueType type, const TiledMma& mma) {
  const ShapeMnk tile = tile_shape(mma);
  return TiledCopy(std::move(atom), type, layoutB_TV(mma), IntTuple{tile.n, tile.k});
}
TiledCopy make_tiled_copy_C(CopyAtom atom, ValueType type, const TiledMma& mma) {
  const ShapeMnk tile = tile_shape(mma);
  return TiledCopy(std::move(atom), type, layoutC_TV(mma), IntTuple{tile.m, tile.n});
}

Index size(const TiledCopy& tiled) { return size(tiled.layout_tv()[0]); }

Layout layoutS_TV(const TiledCopy& tiled) { return layout_of_side(tiled, tiled.atom().src_layout); }
Layout layoutD_TV(const TiledCopy& tiled) { return layout_of_side(tiled, tiled.atom().dst_layout); }

Partition partition_S(const TiledCopy& tiled, const ComposedLayout& tensor, Index thread) {
  return partition_of_side(tiled, tiled.atom().src_layout, tensor, thread);
}
Partition partition_D(const TiledCopy& tiled, const ComposedLayout& tensor, Index thread) {
  return partition_of_side(tiled, tiled.atom().dst_layout, tensor, thread);
}

Layout retile_S(const TiledCopy& tiled, const Layout& fragment) {
  if (fragment.rank() < 1 + tiled.tiler_mn().rank())
    refuse_tiling(ErrorCode::wrong_arity, "fragment", to_string(fragment),
                  "a fragment must have a mode of values and one for each mode of the tile");
  const Index values = size(fragment[0]);
  const Index atom_values = size(in_values(tiled.atom().ref_layout, tiled.type())[1]);
  // (m,n) -> which fragment's worth of values holds it
  const Layout places =
      upcast(composition(right_inverse(tiled.layout_tv()), Layout(tiled.tiler_mn())),
             size(tiled) * values);
  // (values of an atom, further values) -> (v,m,n)
  const Layout order =
      zipped_divide(logical_product(Layout(IntTuple(values)), Tiler(right_inverse(places))),
                    Tiler(Layout(IntTuple(atom_values))));
  const IntTuple extents = product_each(places.shape());
  const Layout tiles =
      zipped_divide(fragment, Tiler(prepend(extents, extents.rank() + 1, IntTuple(values))));
  const Layout ordered = composition(tiles, by_mode(order, Tiler::wildcard()));
  std::vector<IntTuple> rest(static_cast<std::size_t>(fragment.rank()), IntTuple::wildcard());
  rest.front() = IntTuple(0);
  return slice_and_offset(IntTuple{IntTuple::wildcard(), IntTuple::tuple(rest)}, ordered).layout;
}
Layout retile_D(const TiledCopy& tiled, const Layout& fragment) {
  return retile_S(tiled, fragment);
}

}  // namespace jute

// Tiled MMAs and tiled copies.
#include "expr/function.hpp"

#include <jute/base/refuse.hpp>
#include <jute/layout/properties.hpp>

namespace jute::expr {

namespace {

const TiledMma& mma_of(const Arguments& args, int i) {
  const auto* tiled = std::get_if<Boxed<TiledMma>>(&args[i]);
  if (tiled == nullptr) args.refuse(i, "a tiled MMA");
  return **tiled;
}
const TiledCopy& copy_of(const Arguments& args, int i) {
  const auto* tiled = std::get_if<Boxed<TiledCopy>>(&args[i]);
  if (tiled == nullptr) args.refuse(i, "a tiled copy");
  return **tiled;
}
ComposedLayout tensor_of(const Arguments& args, int i) {
  if (const auto* layout = std::get_if<ComposedLayout>(&args[i])) return *layout;
  return args.layout(i);
}
ValueType type_of(const Arguments& args, int i) { return parse_value_type(args.word(i).text); }

/// A layout, or a shape for the compact one. Two atoms on the same threads would compute one tile
/// twice and another never.
Layout atom_layout_of(const Arguments& args, int i) {
  const Layout layout = args.is<IntTuple>(i) ? Layout(args.tuple(i)) : args.layout(i);
  if (is_injective(layout)) return layout;
  jute::refuse(ErrorCode::not_injective, args.operand(i), to_string(layout),
               "each atom must have threads of its own", to_string(Layout(layout.shape())));
}

Value tiled_mma_of(const Arguments& args) {
  const MmaAtom atom = args.mma_atom(0);
  if (args.count() == 1) return Boxed<TiledMma>(TiledMma(atom));
  const Layout atoms = atom_layout_of(args, 1);
  if (args.count() == 2) return Boxed<TiledMma>(TiledMma(atom, atoms));
  return Boxed<TiledMma>(TiledMma(atom, atoms, args.tiler(2)));
}

TiledCopy copy_of_values(const Arguments& args, const Layout& values) {
  return {args.copy_atom(0), type_of(args, 1), args.layout(2), values};
}

/// Takes thread and value layouts, or a (thread,value) layout and its tile. Where a tile does not
/// do, values of that shape may have been meant.
Value tiled_copy_of(const Arguments& args) {
  if (!args.is<IntTuple>(3)) return Boxed<TiledCopy>(copy_of_values(args, args.layout(3)));
  const IntTuple tile = args.tuple(3);
  try {
    return Boxed<TiledCopy>(TiledCopy(args.copy_atom(0), type_of(args, 1), args.layout(2), tile));
  } catch (const Exception& exception) {
    Error error = exception.error();
    if (error.operand != "tile") throw;
    const Layout values(tile);
    (void)copy_of_values(args, values);
    error.nearest_legal = to_string(values);
    throw Exception(std::move(error));
  }
}

template <TiledCopy (*make)(CopyAtom, ValueType, const TiledMma&)>
Value tiled_copy_like(const Arguments& args) {
  return Boxed<TiledCopy>(make(args.copy_atom(0), type_of(args, 1), mma_of(args, 2)));
}

Value tile_shape_of(const Arguments& args) {
  const ShapeMnk shape = tile_shape(mma_of(args, 0));
  return IntTuple{shape.m, shape.n, shape.k};
}
Value tiler_mn_of(const Arguments& args) { return copy_of(args, 0).tiler_mn(); }
Value layout_tv_of(const Arguments& args) { return copy_of(args, 0).layout_tv(); }

template <Layout (*layout)(const TiledMma&)>
Value mma_layout(const Arguments& args) {
  return layout(mma_of(args, 0));
}
template <Layout (*layout)(const TiledCopy&)>
Value copy_layout(const Arguments& args) {
  return layout(copy_of(args, 0));
}
template <Layout (*fragment)(const TiledMma&, const ComposedLayout&)>
Value mma_fragment(const Arguments& args) {
  return fragment(mma_of(args, 0), tensor_of(args, 1));
}
template <Layout (*retile)(const TiledCopy&, const Layout&)>
Value retiled(const Arguments& args) {
  return retile(copy_of(args, 0), args.layout(1));
}

Value both(const Partition& part) { return ValueList{{part.layout, part.offset}}; }

template <Partition (*part)(const TiledMma&, const ComposedLayout&, Index)>
Value mma_partition(const Arguments& args) {
  return both(part(mma_of(args, 0), tensor_of(args, 1), args.integer(2)));
}
template <Partition (*part)(const TiledCopy&, const ComposedLayout&, Index)>
Value copy_partition(const Arguments& args) {
  return both(part(copy_of(args, 0), tensor_of(args, 1), args.integer(2)));
}

constexpr Function kTiledFunctions[] = {
    {"tiled_mma", 1, 3, tiled_mma_of, "tiled_mma(ATOM[,atom_layout[,permutation]])",
     "An MMA atom repeated over M, N and K."},
    {"tiled_copy", 4, 4, tiled_copy_of, "tiled_copy(ATOM,type,thr_layout,val_layout)",
     "A copy atom repeated over a tile."},
    {"tiled_copy_A", 3, 3, tiled_copy_like<make_tiled_copy_A>, "tiled_copy_A(ATOM,type,tiled_mma)",
     "A copy of what a tiled MMA needs of A."},
    {"tiled_copy_B", 3, 3, tiled_copy_like<make_tiled_copy_B>, "tiled_copy_B(ATOM,type,tiled_mma)",
     "A copy of what a tiled MMA needs of B."},
    {"tiled_copy_C", 3, 3, tiled_copy_like<make_tiled_copy_C>, "tiled_copy_C(ATOM,type,tiled_mma)",
     "A copy of what a tiled MMA holds of C."},
    {"thr_layout_vmnk", 1, 1, mma_layout<thr_layout_vmnk>, "thr_layout_vmnk(tiled_mma)",
     "(atom's thread, atom along M, N, K) to thread."},
    {"tile_shape", 1, 1, tile_shape_of, "tile_shape(tiled_mma)",
     "M, N and K that all threads compute together."},
    {"layoutA_TV", 1, 1, mma_layout<layoutA_TV>, "layoutA_TV(tiled_mma)",
     "(thread,value) to the (M,K) tile.", OffsetMeaning::places},
    {"layoutB_TV", 1, 1, mma_layout<layoutB_TV>, "layoutB_TV(tiled_mma)",
     "(thread,value) to the (N,K) tile.", OffsetMeaning::places},
    {"layoutC_TV", 1, 1, mma_layout<layoutC_TV>, "layoutC_TV(tiled_mma)",
     "(thread,value) to the (M,N) tile.", OffsetMeaning::places},
    {"partition_A", 3, 3, mma_partition<partition_A>, "partition_A(tiled_mma,L,thread)",
     "A thread's part of A: layout and offset."},
    {"partition_B", 3, 3, mma_partition<partition_B>, "partition_B(tiled_mma,L,thread)",
     "A thread's part of B: layout and offset."},
    {"partition_C", 3, 3, mma_partition<partition_C>, "partition_C(tiled_mma,L,thread)",
     "A thread's part of C: layout and offset."},
    {"fragment_A", 2, 2, mma_fragment<fragment_A>, "fragment_A(tiled_mma,L)",
     "Registers of a thread's part of A."},
    {"fragment_B", 2, 2, mma_fragment<fragment_B>, "fragment_B(tiled_mma,L)",
     "Registers of a thread's part of B."},
    {"fragment_C", 2, 2, mma_fragment<fragment_C>, "fragment_C(tiled_mma,L)",
     "Registers of a thread's part of C."},
    {"tiler_mn", 1, 1, tiler_mn_of, "tiler_mn(tiled_copy)", "The tile of a tiled copy."},
    {"layout_tv", 1, 1, layout_tv_of, "layout_tv(tiled_copy)",
     "(thread,value) to the tile, in reference order.", OffsetMeaning::places},
    {"layoutS_TV", 1, 1, copy_layout<layoutS_TV>, "layoutS_TV(tiled_copy)",
     "(thread,value) to the tile, at the source.", OffsetMeaning::places},
    {"layoutD_TV", 1, 1, copy_layout<layoutD_TV>, "layoutD_TV(tiled_copy)",
     "(thread,value) to the tile, at the destination.", OffsetMeaning::places},
    {"partition_S", 3, 3, copy_partition<partition_S>, "partition_S(tiled_copy,L,thread)",
     "A thread's part of the source: layout and offset."},
    {"partition_D", 3, 3, copy_partition<partition_D>, "partition_D(tiled_copy,L,thread)",
     "A thread's part of the destination: layout and offset."},
    {"retile_S", 2, 2, retiled<retile_S>, "retile_S(tiled_copy,fragment)",
     "A register fragment as the copy's source."},
    {"retile_D", 2, 2, retiled<retile_D>, "retile_D(tiled_copy,fragment)",
     "A register fragment as the copy's destination."},
};

}  // namespace

std::span<const Function> tiled_functions() { return kTiledFunctions; }

}  // namespace jute::expr

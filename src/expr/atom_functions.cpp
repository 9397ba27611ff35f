// Atoms and their layouts, and wgmma descriptors.
#include "expr/function.hpp"

#include <jute/atom/gmma_descriptor.hpp>

#include <array>

namespace jute::expr {

namespace {

Value mma_atom_of(const Arguments& args) { return Boxed<MmaAtom>(args.mma_atom(0)); }
Value copy_atom_of(const Arguments& args) { return Boxed<CopyAtom>(args.copy_atom(0)); }

/// Serves both kinds; a word names whichever exists.
Value thr_id_of(const Arguments& args) {
  if (args.is<Boxed<CopyAtom>>(0) || args.is<ValueList>(0)) return args.copy_atom(0).thr_id;
  if (!args.is<Word>(0)) return args.mma_atom(0).thr_id;
  const auto found = args.catalogue().find(args.word(0).text);
  return std::visit([](const auto& atom) { return Value(atom.thr_id); }, found);
}

Value shape_mnk_of(const Arguments& args) {
  const ShapeMnk shape = args.mma_atom(0).shape;
  return IntTuple{shape.m, shape.n, shape.k};
}

template <Layout MmaAtom::*layout>
Value of_mma(const Arguments& args) {
  return args.mma_atom(0).*layout;
}
template <Layout CopyAtom::*layout>
Value of_copy(const Arguments& args) {
  return args.copy_atom(0).*layout;
}

Major major_of(const Arguments& args, int i) {
  static constexpr std::array<std::string_view, 2> kMajors{"MN", "K"};
  return args.choice(i, kMajors) == 0 ? Major::mn : Major::k;
}

Value gmma_layout_atom_of(const Arguments& args) {
  static constexpr std::array<std::string_view, 4> kSwizzles{"INTER", "SW32", "SW64", "SW128"};
  return gmma_layout_atom(major_of(args, 0), parse_value_type(args.word(2).text),
                          static_cast<GmmaSwizzle>(args.choice(1, kSwizzles)));
}

Value gmma_desc_of(const Arguments& args) {
  const Major major = major_of(args, 1);
  const ValueType type = parse_value_type(args.word(2).text);
  const Index start = args.count() > 3 ? args.integer(3) : 0;
  const auto* composed = std::get_if<ComposedLayout>(&args[0]);
  const ComposedLayout smem = composed != nullptr ? *composed : ComposedLayout(args.layout(0));
  return BitPattern{gmma_descriptor(smem, major, type, start).bits};
}

constexpr Function kAtomFunctions[] = {
    {"mma_atom", 1, 1, mma_atom_of, "mma_atom(NAME)", "An MMA atom of the catalogue."},
    {"copy_atom", 1, 1, copy_atom_of, "copy_atom(NAME)", "A copy atom of the catalogue."},
    {"shape_mnk", 1, 1, shape_mnk_of, "shape_mnk(atom)", "The tile of an MMA atom."},
    {"thr_id", 1, 1, thr_id_of, "thr_id(atom)", "Logical thread to lane."},
    {"layout_a", 1, 1, of_mma<&MmaAtom::a_layout>, "layout_a(atom)",
     "(thread,value) to m + M*k of an MMA atom.", OffsetMeaning::places},
    {"layout_b", 1, 1, of_mma<&MmaAtom::b_layout>, "layout_b(atom)",
     "(thread,value) to n + N*k of an MMA atom.", OffsetMeaning::places},
    {"layout_c", 1, 1, of_mma<&MmaAtom::c_layout>, "layout_c(atom)",
     "(thread,value) to m + M*n of an MMA atom.", OffsetMeaning::places},
    {"layout_src", 1, 1, of_copy<&CopyAtom::src_layout>, "layout_src(atom)",
     "(thread,value) to bit at the source of a copy atom.", OffsetMeaning::bits},
    {"layout_dst", 1, 1, of_copy<&CopyAtom::dst_layout>, "layout_dst(atom)",
     "(thread,value) to bit at the destination of a copy atom.", OffsetMeaning::bits},
    {"layout_ref", 1, 1, of_copy<&CopyAtom::ref_layout>, "layout_ref(atom)",
     "(thread,value) to bit in the reference order of a copy atom.", OffsetMeaning::bits},
    {"gmma_desc", 3, 4, gmma_desc_of, "gmma_desc(L,MN|K,type[,start_address])",
     "The shared-memory descriptor of wgmma; the layout counts elements."},
    {"gmma_layout_atom", 3, 3, gmma_layout_atom_of,
     "gmma_layout_atom(MN|K,INTER|SW32|SW64|SW128,type)",
     "The smallest shared-memory layout of a swizzle, for tile_to_shape."},
};

}  // namespace

std::span<const Function> atom_functions() { return kAtomFunctions; }

}  // namespace jute::expr

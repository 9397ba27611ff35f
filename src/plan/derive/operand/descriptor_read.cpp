// Composes the blocks that instructions read with the tile in shared memory.
#include "plan/derive/operand/descriptor_read.hpp"

#include <jute/atom/gmma_descriptor.hpp>
#include <jute/layout/algebra.hpp>

namespace jute::plan {
namespace {

constexpr int kUnit = 16;        // bytes that start addresses count
constexpr int kPatternRows = 8;  // of a swizzle; a matrix begins in the first
constexpr int kRowBytesUnswizzled = 16;

/// Do matrices begin in the first row of the swizzle's pattern, so that descriptors need no base
/// offset?
bool begin_in_patterns(const Layout& start, const ComposedLayout& smem, int bits) {
  const Index row = Index{kRowBytesUnswizzled} << smem.swizzle().bits();
  for (Index i = 0; i < size(start); ++i) {
    const Index byte = start(i) * bits / 8;
    if (byte % kUnit != 0) return false;
    if (smem.swizzle().bits() > 0 && byte % (kPatternRows * row) >= row) return false;
  }
  return true;
}

}  // namespace

std::optional<DescriptorRead> descriptor_read(const TiledMma& mma, Operand operand,
                                              const Fragment& fragment,
                                              const ComposedLayout& smem) {
  const MmaAtom& atom = mma.atom();
  const ValueType& type = type_of(atom, operand);
  const int of_atom = threads(atom);
  const Layout& tv = fragment.tv;
  // One thread of each group speaks for it; its blocks follow each other as repeats and k-steps.
  const std::optional<Layout> groups =
      try_composition(tv[0], Layout(static_cast<Index>(size(mma)) / of_atom, of_atom));
  if (!groups || smem.offset() != 0) return std::nullopt;
  const Layout blocks = make_layout({tv[1][1], tv[1][2]});
  if (!try_composition(smem.layout(), make_layout({*groups, blocks, tv[1][0]})))
    return std::nullopt;
  const std::optional<Layout> block = try_composition(smem.layout(), tv[1][0]);
  const std::optional<Address> start =
      try_address_of(smem.layout(), make_layout({*groups, blocks}));
  if (!block || !start || block->rank() != 2) return std::nullopt;
  const Layout starts = composition(smem.layout(), make_layout({*groups, blocks}));
  if (!begin_in_patterns(starts, smem, type.bits)) return std::nullopt;
  const Major major = operand == Operand::a ? atom.a_major : atom.b_major;
  const auto descriptor =
      try_gmma_descriptor(ComposedLayout(smem.swizzle(), 0, *block), major, type);
  return descriptor ? std::optional(DescriptorRead{descriptor->bits, *start}) : std::nullopt;
}

}  // namespace jute::plan

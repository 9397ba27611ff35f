// Composes the source and destination layouts of matrix loads with fragments in shared memory.
#include "plan/derive/operand/matrix_read.hpp"

#include <jute/layout/address.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/properties.hpp>

#include <utility>
#include <vector>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

constexpr int kRowBits = 128;

/// The sides of a matrix copy: what lanes point at, and what they hold in registers.
const Layout& pointed_side(const CopyAtom& atom) {
  return atom.form == CopyForm::stmatrix ? atom.dst_layout : atom.src_layout;
}
const Layout& held_side(const CopyAtom& atom) {
  return atom.form == CopyForm::stmatrix ? atom.src_layout : atom.dst_layout;
}

/// A load that transposes pairs of bytes gives a lane, in every register, two lines of two
/// neighbours in K. Of two such registers the even bytes are four neighbours in K of one line, the
/// odd ones of the next: those lines follow each other as registers of the fragment (the first
/// order), or all registers of the even line come first.
std::vector<std::optional<Layout>> byte_orders(const CopyAtom& atom, int element_bits,
                                               Index values) {
  std::vector<std::optional<Layout>> orders{std::nullopt};
  const bool is_of_pairs = element_bits == 8 && atom.form == CopyForm::ldmatrix &&
                           held_side(atom)[1].flat_shape().front() == 16;
  if (!is_of_pairs || values % 8 != 0) return orders;
  const IntTuple neighbours{2, 2}, bytes{2, 4};
  orders.emplace_back(Layout(IntTuple{neighbours, 2, values / 8}, IntTuple{bytes, 1, 8}));
  if (values > 8)
    orders.emplace_back(Layout(IntTuple{neighbours, values / 8, 2}, IntTuple{bytes, 8, 1}));
  return orders;
}

/// (lane, element) of the row that a lane points at -> (lane, value) that holds the element, as
/// lane + 32 * value. Nothing where the atom moves other pieces than elements.
std::optional<Layout> holders(const CopyAtom& atom, int element_bits, Index values,
                              const std::optional<Layout>& bytes) {
  const Layout pointed = upcast(pointed_side(atom), element_bits);
  Layout received = upcast(held_side(atom), element_bits);
  if (bytes) received = make_layout({received[0], composition(received[1], *bytes)});
  const auto is_of = [](const Layout& layout, Index of_lane) {
    return size(layout[0]) == kWarp && size(layout[1]) == of_lane;
  };
  if (!is_of(pointed, kRowBits / element_bits) || !is_of(received, values)) return std::nullopt;
  if (!is_bijective(received)) return std::nullopt;
  return try_composition(left_inverse(received), pointed);
}

/// The load or store, whose registers hold bytes in that order.
std::optional<MatrixRead> read_of(const CopyAtom& atom, const Fragment& fragment,
                                  const ComposedLayout& smem, DType type,
                                  const std::optional<Layout>& order) {
  const int element_bits = width_bits(type), in_row = kRowBits / element_bits;
  const int per_read = static_cast<int>(size(held_side(atom)[1])) / element_bits;
  const int in_step = fragment.values * fragment.repeats;
  if (in_step % per_read != 0) return std::nullopt;
  // Matrix loads and stores take absolute addresses: a swizzle must repeat within the alignment of
  // the stages.
  if (swizzle_span(smem.swizzle()) * element_bits > 1024 * 8) return std::nullopt;
  const std::optional<Layout> receiver = holders(atom, element_bits, per_read, order);
  const std::optional<Layout> lanes = cut_after(fragment.tv[0], kWarp);
  const std::optional<Layout> values = cut_after(fragment.tv[1], per_read);
  if (!receiver || !lanes || !values) return std::nullopt;
  const Layout of_one_load = make_layout({(*lanes)[0], (*values)[0]});
  const std::optional<Layout> rows = try_composition(of_one_load, *receiver);
  if (!rows) return std::nullopt;
  const Layout threads = make_layout({(*rows)[0], (*lanes)[1]}), loads = (*values)[1];
  const std::optional<Layout> bytes =
      try_composition(smem.layout(), make_layout({(*rows)[1], threads, loads}));
  if (!bytes) return std::nullopt;
  const ComposedLayout in_memory(smem.swizzle(), smem.offset(), *bytes);
  if (max_vector_elems(in_memory, {element_bits}) < in_row) return std::nullopt;
  return MatrixRead{atom, per_read * element_bits / 32, in_step / per_read,
                    make_layout({threads, loads}), order};
}

}  // namespace

std::optional<Layout> cut_after(const Layout& mode, Index first) {
  if (first < 1 || size(mode) % first != 0) return std::nullopt;
  return try_composition(mode, Layout(IntTuple{first, size(mode) / first}));
}

std::optional<MatrixRead> matrix_read(const CopyAtom& atom, const Fragment& fragment,
                                      const ComposedLayout& smem, DType type) {
  const Index per_read = size(held_side(atom)[1]) / width_bits(type);
  if (per_read == 0 || threads(atom) != kWarp) return std::nullopt;
  for (const std::optional<Layout>& order : byte_orders(atom, width_bits(type), per_read))
    if (std::optional<MatrixRead> read = read_of(atom, fragment, smem, type, order)) return read;
  return std::nullopt;
}

std::optional<MatrixRead> widest_matrix_read(CopyForm form, const Catalogue& catalogue, Arch arch,
                                             const Fragment& fragment, const ComposedLayout& smem,
                                             DType type) {
  std::optional<MatrixRead> best;
  for (const CopyAtom& atom : catalogue.copies(form, arch)) {
    std::optional<MatrixRead> read = matrix_read(atom, fragment, smem, type);
    if (read && (!best || read->registers > best->registers)) best = std::move(read);
  }
  return best;
}

}  // namespace jute::plan

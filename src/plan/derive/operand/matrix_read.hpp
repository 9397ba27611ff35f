#pragma once
// When a matrix load (ldmatrix) can fetch a fragment, and a matrix store (stmatrix) put it down:
// decided from layouts alone.
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>

namespace jute::plan {

/// Fragments that a matrix load or store moves.
struct MatrixRead {
  CopyAtom atom;
  int registers = 1;  ///< of 32 bits, that one load fills; consecutive in the fragment
  int reads = 1;      ///< loads for one k-step
  Layout rows;        ///< (thread, load) -> tile index of the 16 bytes that the lane points at
  /// Byte of the fragment's registers -> byte of those that one load fills; none: the same
  std::optional<Layout> bytes = {};
};

/// The mode, cut after so many; nothing where they do not divide it.
[[nodiscard]] std::optional<Layout> cut_after(const Layout& mode, Index first);

/// Does every lane's row of the atom lie in `smem` as the atom wants it: 16 neighbouring bytes,
/// aligned, holding what the fragment's lanes expect? A store's rows likewise, of what lanes hold.
/// Elements of 8 bits may also come as pairs that a transposing load moves, and be permuted after.
[[nodiscard]] std::optional<MatrixRead> matrix_read(const CopyAtom& atom, const Fragment& fragment,
                                                    const ComposedLayout& smem, DType type);

/// The atom of that form, ldmatrix or stmatrix, with the most registers that fits; nothing when
/// none does.
[[nodiscard]] std::optional<MatrixRead> widest_matrix_read(CopyForm form,
                                                           const Catalogue& catalogue, Arch arch,
                                                           const Fragment& fragment,
                                                           const ComposedLayout& smem, DType type);

}  // namespace jute::plan

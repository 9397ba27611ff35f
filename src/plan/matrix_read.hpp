#pragma once
// When a matrix load (ldmatrix) can fetch a fragment: decided from layouts alone.
#include <jute/plan/fragment.hpp>
#include <jute/plan/plan.hpp>

#include <optional>

namespace jute::plan {

/// One operand's fragments read by a matrix-load atom.
struct MatrixRead {
  CopyAtom atom;
  int registers = 1;  ///< of 32 bits, that one load fills; consecutive in the fragment
  int reads = 1;      ///< loads for one k-step
  Layout rows;        ///< (thread, load) -> tile index of the 16 bytes that the lane points at
};

/// Does every lane's row of the atom lie in `smem` as the atom wants it: 16 neighbouring bytes,
/// aligned, holding what the fragment's lanes expect?
[[nodiscard]] std::optional<MatrixRead> matrix_read(const CopyAtom& atom, const Fragment& fragment,
                                                    const ComposedLayout& smem, DType type);

/// The matrix load with the most registers that fits; nothing when none does.
[[nodiscard]] std::optional<MatrixRead> widest_matrix_read(const Catalogue& catalogue, Arch arch,
                                                           const Fragment& fragment,
                                                           const ComposedLayout& smem, DType type);

}  // namespace jute::plan

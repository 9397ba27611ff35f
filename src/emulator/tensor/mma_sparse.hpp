#pragma once
// 2:4 sparse A of mma.sp and wgmma.sp: which logical values the stored ones are.
#include "emulator/decode/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace jute::emulator {

/// The fields by which a warp's 16 rows of sparse A differ.
struct SparseRows {
  MmaType type = MmaType::f16;
  int k = 32;  ///< logical values of a row
  int selector = 0;
  std::span<const std::uint32_t> metadata;  ///< a word of each lane
};
/// Replaces the stored values of A, (16, k / 2), by the logical ones, (16, k), with zeros between,
/// and says which of those are stored.
///   source  PTX ISA, mma.sp: sparse matrix storage, metadata of each shape; wgmma's are the same
std::vector<bool> expand_sparse(const SparseRows& rows, std::span<std::uint32_t> a);

/// Logical values that one nibble of metadata describes: 2 of 32 bits, 4 of 16 and 8, 8 of 4.
[[nodiscard]] int sparse_group(MmaType type);
/// How many values the sparsity selector may have: 4 lanes over those that hold metadata.
[[nodiscard]] int sparse_selectors(MmaType type, int k);

}  // namespace jute::emulator

#pragma once
// 2:4 sparse A of mma.sp: which logical values the stored ones are.
#include "emulator/program.hpp"

#include <array>
#include <cstdint>

namespace jute::emulator {

/// Replaces the stored values of A, (16, k / 2), by the logical ones, (16, k), with zeros between.
///   source  PTX ISA, mma.sp: sparse matrix storage, metadata of each shape
void expand_sparse(const LaneState& lanes, const MmaUse& use,
                   std::array<std::uint32_t, 16 * 256>& a);

/// Logical values that one nibble of metadata describes: 2 of 32 bits, 4 of 16 and 8, 8 of 4.
[[nodiscard]] int sparse_group(MmaType type);
/// How many values the sparsity selector may have: 4 lanes over those that hold metadata.
[[nodiscard]] int sparse_selectors(const MmaUse& use);

}  // namespace jute::emulator

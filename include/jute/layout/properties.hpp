#pragma once
// What a layout promises: distinct offsets, contiguous runs, vector accesses, bank conflicts.
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <span>

namespace JUTE_API jute {

/// Do no two coordinates share an offset?
///   throws  unsupported: strides so entangled that the search for two such coordinates is given up
[[nodiscard]] bool is_injective(const ComposedLayout& layout);
/// Is every offset in [0, cosize) reached exactly once?
[[nodiscard]] bool is_bijective(const Layout& layout);

/// How many one-dimensional coordinates from 0 on have consecutive offsets.
///   example  contiguous_run("(8,64):(64,1)") == 1, contiguous_run("(4,2,8):(1,4,64)") == 8
[[nodiscard]] Index contiguous_run(const Layout& layout);

/// A vector access: consecutive one-dimensional coordinates, moved at once.
struct VectorAccess {
  int element_bits = 16;
  Index base_alignment_bytes = 16;  ///< of the address of offset 0
  int max_bytes = 16;               ///< the widest access of the hardware
};
/// The largest power of two n so that coordinates n*i … n*i + n - 1 are contiguous and aligned to
/// their n elements, for every i; at least 1.
///   example  max_vector_elems("Sw<3,3,3>o0o(64,8):(1,64)", {16}) == 8
[[nodiscard]] Index max_vector_elems(const ComposedLayout& layout, const VectorAccess& access);

/// Shared-memory cycles of one warp-wide access. 4-byte banks, 32 of them; 8-byte accesses are
/// served by half warps, 16-byte ones by quarters; lanes that read the same word share it.
struct BankConflicts {
  int cycles = 0;        ///< what the access takes
  int ideal_cycles = 0;  ///< what the same access takes without a conflict
  bool operator==(const BankConflicts&) const = default;
};
/// Byte addresses of the lanes, each `access_bytes` (1, 2, 4, 8 or 16) wide and aligned to them.
///   throws  out_of_range: another width, more than 32 lanes; misaligned
[[nodiscard]] BankConflicts bank_conflicts(std::span<const Index> byte_addresses, int access_bytes);
/// Lane l accesses `access_bytes` from the element at offset layout(l) on.
[[nodiscard]] BankConflicts bank_conflicts(const ComposedLayout& lanes, int element_bits,
                                           int access_bytes);

}  // namespace jute

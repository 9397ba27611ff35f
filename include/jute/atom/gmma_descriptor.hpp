#pragma once
// The shared-memory matrix descriptor of wgmma.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/layout/swizzle.hpp>

#include <cstdint>

namespace JUTE_API jute {

/// How wide the pattern is that a descriptor's swizzle permutes.
enum class GmmaSwizzle : std::uint8_t { none, bytes32, bytes64, bytes128 };

/// The 64 bits and their fields. A regular value.
///   source  PTX ISA, asynchronous warpgroup level matrix shared memory descriptor
struct GmmaDescriptor {
  std::uint64_t bits = 0;
  GmmaSwizzle swizzle = GmmaSwizzle::none;
  int layout_type = 0;    ///< bits 62-63: 0 none, 1 128 bytes, 2 64 bytes, 3 32 bytes
  int start_field = 0;    ///< bits 0-13: start address / 16
  int leading_field = 0;  ///< bits 16-29: leading byte offset / 16
  int stride_field = 0;   ///< bits 32-45: stride byte offset / 16
  int base_offset = 0;    ///< bits 49-51: 0, patterns start at a multiple of their size
  Index leading_byte_offset = 0;
  Index stride_byte_offset = 0;
  bool operator==(const GmmaDescriptor&) const = default;
};

/// "0x4000004000010040"
[[nodiscard]] std::string to_string(const GmmaDescriptor& descriptor);

/// The descriptor of the block (MN,K) that one wgmma reads.
///   shapes  smem (MN,K): K is 256 bits of elements, or 128 and 512 for sparse operands
///   units   the layout and its swizzle count elements; start_address and offsets count bytes
///   example gmma_descriptor(ComposedLayout("Sw<3,3,3>o0o(64,16):(64,1)"), Major::k, f16, 1024)
///   throws  illegal_config: every broken rule, with the nearest layout that has a descriptor;
///           overflow: an offset or the start address leaves 64 bits
///   source  CuTe, make_gmma_desc
[[nodiscard]] GmmaDescriptor gmma_descriptor(const ComposedLayout& smem, Major major,
                                             const ValueType& type, Index start_address = 0);

/// That of an address of 0; nothing where a rule is broken. For searches that try many layouts.
[[nodiscard]] std::optional<GmmaDescriptor> try_gmma_descriptor(const ComposedLayout& smem,
                                                                Major major, const ValueType& type);

/// The smallest layout that a swizzle allows; tile_to_shape makes every legal layout of it.
///   example gmma_layout_atom(Major::k, bf16, GmmaSwizzle::bytes128)
///           is "Sw<3,3,3>o0o(8,64):(64,1)"
///   throws  wrong_type: values that do not divide 128 bits
[[nodiscard]] ComposedLayout gmma_layout_atom(Major major, const ValueType& type,
                                              GmmaSwizzle swizzle);

}  // namespace jute

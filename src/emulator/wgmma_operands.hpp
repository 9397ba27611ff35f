#pragma once
// wgmma's operands: matrix descriptors, and how element types split into sign, exponent,
// significand.
#include <cstdint>

namespace jute::emulator {

/// Fields of the 64-bit matrix descriptor (PTX ISA, matrix descriptor format).
struct MatrixDescriptor {
  std::uint64_t start = 0;
  std::uint64_t leading = 0;  ///< bytes
  std::uint64_t stride = 0;   ///< bytes
  int span = 0;               ///< bytes of a swizzled row: 128, 64, 32; 16 without swizzle
};
[[nodiscard]] MatrixDescriptor read_descriptor(std::uint64_t bits);

/// Where an operand's elements are contiguous.
enum class Major : std::uint8_t { k, mn };
/// The shared address of element (row, k) of a matrix whose rows run over M or N.
[[nodiscard]] std::uint64_t element_address(const MatrixDescriptor& descriptor, int row, int k,
                                            int bytes, Major major);

}  // namespace jute::emulator

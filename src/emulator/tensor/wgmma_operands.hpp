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
/// Where an element would lie without the swizzle.
inline std::uint64_t dense_address(const MatrixDescriptor& d, int row, int k, int bytes,
                                   Major major) {
  const auto u = [](int value) { return static_cast<std::uint64_t>(value); };
  if (major == Major::k) {
    const std::uint64_t along = u(k * bytes);
    if (d.span == 16)
      return d.start + u(row / 8) * d.stride + along / 16 * d.leading + u(row % 8) * 16 +
             along % 16;
    return d.start + u(row / 8) * d.stride + u(row % 8) * u(d.span) + along;
  }
  const std::uint64_t along = u(row * bytes);
  const std::uint64_t span = u(d.span);
  // Without swizzle leading and stride change their roles.
  const std::uint64_t across_mn = d.span == 16 ? d.stride : d.leading;
  const std::uint64_t across_k = d.span == 16 ? d.leading : d.stride;
  return d.start + along / span * across_mn + u(k / 8) * across_k + u(k % 8) * span + along % span;
}
/// The shared address of element (row, k) of a matrix whose rows run over M or N.
[[nodiscard]] inline std::uint64_t element_address(const MatrixDescriptor& descriptor, int row,
                                                   int k, int bytes, Major major) {
  const std::uint64_t address = dense_address(descriptor, row, k, bytes, major);
  return address ^ (address >> 3 & (static_cast<std::uint64_t>(descriptor.span) - 16));
}

}  // namespace jute::emulator

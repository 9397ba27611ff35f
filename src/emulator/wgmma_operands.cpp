// Core matrices, strides and swizzles of wgmma's operands.
#include "emulator/wgmma_operands.hpp"

namespace jute::emulator {

MatrixDescriptor read_descriptor(std::uint64_t bits) {
  static constexpr int kSpans[4] = {16, 128, 64, 32};
  MatrixDescriptor result;
  result.start = (bits & 0x3FFF) << 4;
  result.leading = (bits >> 16 & 0x3FFF) << 4;
  result.stride = (bits >> 32 & 0x3FFF) << 4;
  result.span = kSpans[bits >> 62];
  return result;
}

namespace {

std::uint64_t dense_address(const MatrixDescriptor& d, int row, int k, int bytes, Major major) {
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

}  // namespace

std::uint64_t element_address(const MatrixDescriptor& d, int row, int k, int bytes, Major major) {
  const std::uint64_t address = dense_address(d, row, k, bytes, major);
  return address ^ (address >> 3 & (static_cast<std::uint64_t>(d.span) - 16));
}

}  // namespace jute::emulator

// Core matrices, strides and swizzles of wgmma's operands.
#include "emulator/tensor/wgmma_operands.hpp"

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

}  // namespace jute::emulator

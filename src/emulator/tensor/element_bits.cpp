// Sizes of the elements that tensor cores multiply.
#include "emulator/tensor/mma.hpp"

namespace jute::emulator {

int element_bits(MmaType type) {
  switch (type) {
    case MmaType::f64:
      return 64;
    case MmaType::tf32:
    case MmaType::f32:
    case MmaType::s32:
      return 32;
    case MmaType::f16:
    case MmaType::bf16:
      return 16;
    case MmaType::s4:
    case MmaType::u4:
      return 4;
    case MmaType::b1:
      return 1;
    default:
      return 8;
  }
}

}  // namespace jute::emulator

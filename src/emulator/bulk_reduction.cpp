// Reductions of bulk stores, element by element.
#include "emulator/bulk_reduction.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace jute::emulator {
namespace {
#include "emulator/lane_float_scalar.inc"

using Reduction = BulkUse::Reduction;

template <class T>
T combine(Reduction reduction, T a, T b) {
  switch (reduction) {
    case Reduction::min:
      return b < a ? b : a;
    case Reduction::max:
      return a < b ? b : a;
    default:
      return static_cast<T>(a + b);
  }
}
template <class T>
void reduce(Reduction reduction, std::byte* to, const std::byte* from) {
  T a;
  T b;
  std::memcpy(&a, to, sizeof(a));
  std::memcpy(&b, from, sizeof(b));
  a = combine(reduction, a, b);
  std::memcpy(to, &a, sizeof(a));
}
template <class H>
void reduce_half(Reduction reduction, std::byte* to, const std::byte* from) {
  H a;
  H b;
  std::memcpy(&a, to, sizeof(a));
  std::memcpy(&b, from, sizeof(b));
  narrow(combine(reduction, to_float(a), to_float(b)), a);
  std::memcpy(to, &a, sizeof(a));
}

}  // namespace

void reduce_element(Reduction reduction, DType type, std::byte* to, const std::byte* from) {
  switch (type) {
    case DType::f16:
      return reduce_half<Half>(reduction, to, from);
    case DType::bf16:
      return reduce_half<Bfloat>(reduction, to, from);
    case DType::f32:
    case DType::tf32:
      return reduce<float>(reduction, to, from);
    case DType::f64:
      return reduce<double>(reduction, to, from);
    case DType::s32:
      return reduce<s32>(reduction, to, from);
    default:
      return reduce<u8>(reduction, to, from);
  }
}

}  // namespace jute::emulator

// The AVX2 build of the sum by f32.
#include "emulator/tensor/scaled_dot.hpp"

#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

// Where its loops begin decides a fiftieth of a product's time.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("align-loops=64", "align-functions=64")
#endif
#include "emulator/run/avx2_begin.inc"
namespace jute::emulator::avx2 {
namespace {

class TowardZero {
 public:
#if defined(__x86_64__)
  TowardZero() : before_(_mm_getcsr()) { _mm_setcsr(before_ | _MM_ROUND_TOWARD_ZERO); }
  ~TowardZero() { _mm_setcsr(before_); }
#else
  TowardZero() : before_(static_cast<unsigned>(std::fegetround())) {
    std::fesetround(FE_TOWARDZERO);
  }
  ~TowardZero() { std::fesetround(static_cast<int>(before_)); }
#endif
  TowardZero(const TowardZero&) = delete;
  TowardZero& operator=(const TowardZero&) = delete;

 private:
  unsigned before_;
};

#include "emulator/tensor/scaled_dot_body.inc"

}  // namespace

const ScaledDotFunctions kScaledDot{&split,   &unpack_rows, &unpack_columns, &multiply, &gather,
                                    &scatter, &sum};

}  // namespace jute::emulator::avx2
#include "emulator/run/avx2_end.inc"

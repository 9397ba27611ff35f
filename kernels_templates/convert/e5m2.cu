// convert/e5m2.cu: by way of f16, which holds every e5m2 exactly (sm_89).
//   gives: type e5m2; float to_compute(e5m2)
struct e5m2 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e5m2 x) {
  float result;
  asm("{ .reg .b32 pair; .reg .b16 low, high;\n"
      "cvt.rn.f16x2.e5m2x2 pair, %1; mov.b32 {low, high}, pair; cvt.f32.f16 %0, low; }"
      : "=f"(result) : "h"(static_cast<unsigned short>(x.bits)));
  return result;
}

// convert/e5m2.cu (sm_75): the upper byte of an f16.
//   gives: type e5m2; float to_compute(e5m2)
struct e5m2 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e5m2 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(static_cast<unsigned short>(x.bits << 8)));
  return result;
}

// convert/e5m2.cu (pair): two neighbours rounded together; the first in the lower byte (sm_89).
//   gives: unsigned pair_from_compute(float, float)
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(second), "f"(first));
  return pair;
}

// convert/e5m2.cu (out): rounds to nearest even, saturates; NaN stays NaN (sm_89).
//   needs: type e5m2
//   gives: void from_compute(float, e5m2*)
__device__ __forceinline__ void from_compute(float x, e5m2* out) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  out->bits = static_cast<unsigned char>(pair);
}

// convert/e5m2.cu (out, sm_75): the same by arithmetic. Below the least normal number, 2^-14, steps are those of an f32 from 2^7.
//   needs: type e5m2
//   gives: void from_compute(float, e5m2*)
__device__ __forceinline__ void from_compute(float x, e5m2* out) {
  const float size = fabsf(x);
  const unsigned bits = __float_as_uint(size);
  const unsigned normal = min(((bits + 0xfffffu + (bits >> 21 & 1u)) >> 21) - 112 * 4, 0x7bu);
  const unsigned small = __float_as_uint(__fadd_rn(size, 128.0f)) - 0x43000000u;
  const unsigned rounded = (size < 6.103515625e-05f ? small : normal) | (__float_as_uint(x) >> 24 & 0x80u);
  out->bits = static_cast<unsigned char>(x == x ? rounded : 0x7fu);
}

// convert/e5m2.cu (wide): from f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type e5m2
//   needs: void from_compute(float, e5m2*)
//   gives: void from_compute(double, e5m2*), from_compute(int, e5m2*)
__device__ __forceinline__ void from_compute(double x, e5m2* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, e5m2* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

// convert/e4m3.cu: by way of f16, which holds every e4m3 exactly (sm_89).
//   gives: type e4m3; float to_compute(e4m3)
struct e4m3 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e4m3 x) {
  float result;
  asm("{ .reg .b32 pair; .reg .b16 low, high;\n"
      "cvt.rn.f16x2.e4m3x2 pair, %1; mov.b32 {low, high}, pair; cvt.f32.f16 %0, low; }"
      : "=f"(result) : "h"(static_cast<unsigned short>(x.bits)));
  return result;
}

// convert/e4m3.cu (sm_75): by arithmetic: as an f32 the same bits are smaller by 2^120.
//   gives: type e4m3; float to_compute(e4m3)
struct e4m3 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e4m3 x) {
  const unsigned size = x.bits & 0x7fu, sign = (x.bits & 0x80u) << 24;
  const unsigned value = __float_as_uint(__fmul_rn(__uint_as_float(size << 20), __uint_as_float(0x7b800000u)));
  return __uint_as_float(sign | (size == 0x7fu ? 0x7fffffffu : value));
}

// convert/e4m3.cu (pair): two neighbours rounded together; the first in the lower byte (sm_89).
//   gives: unsigned pair_from_compute(float, float)
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(second), "f"(first));
  return pair;
}

// convert/e4m3.cu (out): rounds to nearest even, saturates; NaN stays NaN (sm_89).
//   needs: type e4m3
//   gives: void from_compute(float, e4m3*)
__device__ __forceinline__ void from_compute(float x, e4m3* out) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  out->bits = static_cast<unsigned char>(pair);
}

// convert/e4m3.cu (out, sm_75): the same by arithmetic. Below the least normal number, 2^-6, steps are those of an f32 from 2^14.
//   needs: type e4m3
//   gives: void from_compute(float, e4m3*)
__device__ __forceinline__ void from_compute(float x, e4m3* out) {
  const float size = fabsf(x);
  const unsigned bits = __float_as_uint(size);
  const unsigned normal = min(((bits + 0x7ffffu + (bits >> 20 & 1u)) >> 20) - 120 * 8, 0x7eu);
  const unsigned small = __float_as_uint(__fadd_rn(size, 16384.0f)) - 0x46800000u;
  const unsigned rounded = (size < 0.015625f ? small : normal) | (__float_as_uint(x) >> 24 & 0x80u);
  out->bits = static_cast<unsigned char>(x == x ? rounded : 0x7fu);
}

// convert/e4m3.cu (wide): from f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type e4m3
//   needs: void from_compute(float, e4m3*)
//   gives: void from_compute(double, e4m3*), from_compute(int, e4m3*)
__device__ __forceinline__ void from_compute(double x, e4m3* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, e4m3* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

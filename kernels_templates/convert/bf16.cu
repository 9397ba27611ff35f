// convert/bf16.cu: the upper half of an f32; rounds to nearest even (sm_80).
//   gives: type bf16; float to_compute(bf16); void from_compute(float, bf16*)
struct bf16 { unsigned short bits; };
__device__ __forceinline__ float to_compute(bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
__device__ __forceinline__ void from_compute(float x, bf16* out) {
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}

// convert/bf16.cu (sm_75): the upper half of an f32; rounds to nearest even by integer arithmetic.
//   gives: type bf16; float to_compute(bf16); void from_compute(float, bf16*)
struct bf16 { unsigned short bits; };
__device__ __forceinline__ float to_compute(bf16 x) {
  return __uint_as_float(static_cast<unsigned>(x.bits) << 16);
}
__device__ __forceinline__ void from_compute(float x, bf16* out) {
  const unsigned bits = __float_as_uint(x);
  const unsigned rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  out->bits = static_cast<unsigned short>(x != x ? 0x7fffu : rounded);
}

// convert/bf16.cu (pair): two neighbours rounded together; the first in the lower half (sm_80).
//   gives: unsigned pair_from_compute(float, float)
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

// convert/bf16.cu (out): from f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type bf16
//   needs: void from_compute(float, bf16*)
//   gives: void from_compute(double, bf16*), from_compute(int, bf16*)
__device__ __forceinline__ void from_compute(double x, bf16* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, bf16* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

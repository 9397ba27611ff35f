// convert/f16.cu: rounds to nearest even, overflows to infinity.
//   gives: type f16; float to_compute(f16); void from_compute(float, f16*)
struct f16 { unsigned short bits; };
__device__ __forceinline__ float to_compute(f16 x) {
  float result;
  asm("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(x.bits));
  return result;
}
__device__ __forceinline__ void from_compute(float x, f16* out) {
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(out->bits) : "f"(x));
}

// convert/f16.cu (pair): two neighbours rounded together; the first in the lower half (sm_80).
//   gives: unsigned pair_from_compute(float, float)
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned pair;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

// convert/f16.cu (out): from f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type f16
//   needs: void from_compute(float, f16*)
//   gives: void from_compute(double, f16*), from_compute(int, f16*)
__device__ __forceinline__ void from_compute(double x, f16* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, f16* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

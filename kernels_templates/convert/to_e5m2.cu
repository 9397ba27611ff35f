// convert/to_e5m2.cu: rounds to nearest even, saturates; NaN stays NaN (sm_89). From f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type e5m2
//   gives: void from_compute(float, e5m2*), from_compute(double, e5m2*), from_compute(int, e5m2*)
__device__ __forceinline__ void from_compute(float x, e5m2* out) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  out->bits = static_cast<unsigned char>(pair);
}
__device__ __forceinline__ void from_compute(double x, e5m2* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, e5m2* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

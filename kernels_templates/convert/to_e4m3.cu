// convert/to_e4m3.cu: rounds to nearest even, saturates; NaN stays NaN (sm_89). From f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type e4m3
//   gives: void from_compute(float, e4m3*), from_compute(double, e4m3*), from_compute(int, e4m3*)
__device__ __forceinline__ void from_compute(float x, e4m3* out) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  out->bits = static_cast<unsigned char>(pair);
}
__device__ __forceinline__ void from_compute(double x, e4m3* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, e4m3* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

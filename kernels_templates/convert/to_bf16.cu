// convert/to_bf16.cu: from f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
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

// convert/tf32.cu: an f32 whose low 13 bits do not count.
//   gives: type tf32; float to_compute(tf32)
struct tf32 { unsigned bits; };
__device__ __forceinline__ float to_compute(tf32 x) { return __uint_as_float(x.bits & 0xffffe000u); }

// convert/tf32.cu (out): rounds to nearest even, overflows to infinity. From f64 and from integers by way of an f32 that is rounded to odd: nothing is rounded twice.
//   needs: type tf32
//   gives: void from_compute(float, tf32*), from_compute(double, tf32*), from_compute(int, tf32*)
__device__ __forceinline__ void from_compute(float x, tf32* out) {
  const unsigned bits = __float_as_uint(x);
  out->bits = x == x ? (bits + 0xfffu + (bits >> 13 & 1u)) & 0xffffe000u : 0x7fffffffu;
}
__device__ __forceinline__ void from_compute(double x, tf32* out) {
  const float part = __double2float_rz(x);
  from_compute(part == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}
__device__ __forceinline__ void from_compute(int x, tf32* out) {
  const float part = __int2float_rz(x);
  from_compute(static_cast<double>(part) == x ? part : __uint_as_float(__float_as_uint(part) | 1u), out);
}

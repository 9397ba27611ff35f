// convert/e2m1.cu: the low half of a byte; as an f32 the same bits are smaller by 2^126.
//   gives: type e2m1; float to_compute(e2m1)
struct e2m1 { unsigned char bits; };
__device__ __forceinline__ float to_compute(e2m1 x) {
  const unsigned size = (x.bits & 7u) << 22, sign = (x.bits & 8u) << 28;
  return __uint_as_float(sign | __float_as_uint(__fmul_rn(__uint_as_float(size), __uint_as_float(0x7e800000u))));
}

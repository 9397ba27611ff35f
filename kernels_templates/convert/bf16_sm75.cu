// convert/bf16_sm75.cu: the upper half of an f32; rounds to nearest even by integer arithmetic.
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

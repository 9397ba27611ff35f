// function/round_to.cu: x rounded to nearest even to a type with `bits` fewer bits. Below `normal`
// neighbours lie as far apart as those of `anchor`; what exceeds `largest` becomes `beyond`.
//   gives: float round_to(float, int, float, float, float, float)
__device__ __forceinline__ float round_to(float x, int bits, float normal, float anchor,
                                          float largest, float beyond) {
  const float size = fabsf(x);
  const unsigned word = __float_as_uint(size), rest = (1u << bits) - 1u;
  const float kept = __uint_as_float((word + (rest >> 1) + (word >> bits & 1u)) & ~rest);
  const float rounded = size < normal ? __fsub_rn(__fadd_rn(size, anchor), anchor) : kept;
  return x == x ? copysignf(rounded > largest ? beyond : rounded, x) : x;
}

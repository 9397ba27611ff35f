// function/silu_half.cu: x/2 + x/2 tanh(x/2), which is x/(1 + exp(-x)), to 2^-12 |x|.
//   needs: float approx_tanh(float)
//   gives: float silu_half(float)
__device__ __forceinline__ float silu_half(float x) {
  const float half = __fmul_rn(0.5f, x);
  return __fmaf_rn(half, approx_tanh(half), half);
}

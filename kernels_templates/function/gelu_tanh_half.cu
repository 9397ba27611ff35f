// function/gelu_tanh_half.cu: x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3), to 2^-12 |x|.
//   needs: float approx_tanh(float)
//   gives: float gelu_tanh_half(float)
__device__ __forceinline__ float gelu_tanh_half(float x) {
  const float u = __fmul_rn(x, __fmaf_rn(__fmul_rn(x, x), 0.0356774081f, 0.797884561f));
  const float half = __fmul_rn(0.5f, x);
  return __fmaf_rn(half, approx_tanh(u), half);
}

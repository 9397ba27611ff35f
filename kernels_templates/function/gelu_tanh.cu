// function/gelu_tanh.cu: x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3). That is
// x/(1 + exp(-2 u)); the constants are those of u times -2 log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float gelu_tanh(float)
__device__ __forceinline__ float gelu_tanh(float x) {
  const float exponent =
      __fmul_rn(x, __fmaf_rn(__fmul_rn(x, x), -0.102943240f, -2.30220820f));
  return __fmul_rn(x, approx_reciprocal(__fadd_rn(1.0f, approx_exp2(exponent))));
}

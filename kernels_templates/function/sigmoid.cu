// function/sigmoid.cu: 1/(1 + exp(-x)); -1.4427 is -log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float sigmoid(float)
__device__ __forceinline__ float sigmoid(float x) {
  return approx_reciprocal(__fadd_rn(1.0f, approx_exp2(__fmul_rn(-1.44269504f, x))));
}

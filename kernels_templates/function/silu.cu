// function/silu.cu: x/(1 + exp(-x)), also called swish; -1.4427 is -log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float silu(float)
__device__ __forceinline__ float silu(float x) {
  return __fmul_rn(x, approx_reciprocal(__fadd_rn(1.0f, approx_exp2(__fmul_rn(-1.44269504f, x)))));
}

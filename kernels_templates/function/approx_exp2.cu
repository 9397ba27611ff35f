// function/approx_exp2.cu: 2^x to 2 units in the last place; results below 2^-126 are 0.
//   gives: float approx_exp2(float)
__device__ __forceinline__ float approx_exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

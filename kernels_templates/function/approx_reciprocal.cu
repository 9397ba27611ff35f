// function/approx_reciprocal.cu: 1/x to 1 unit in the last place; results below 2^-126 are 0.
//   gives: float approx_reciprocal(float)
__device__ __forceinline__ float approx_reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// function/approx_tanh.cu: tanh(x) in one instruction, with a relative error of 2^-11 (sm_75).
//   gives: float approx_tanh(float)
__device__ __forceinline__ float approx_tanh(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

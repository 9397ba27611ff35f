// convert/pair_bf16.cu: two neighbours rounded together; the first in the lower half (sm_80).
//   gives: unsigned pair_from_compute(float, float)
__device__ __forceinline__ unsigned pair_from_compute(float first, float second) {
  unsigned pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(second), "f"(first));
  return pair;
}

// prelude/elected.cu: one thread of a whole warp, always the same (sm_90). What it alone does the compiler then knows to be
// done once: behind a comparison of thread numbers it writes each TMA instruction as a loop over the warp's lanes.
//   gives: bool elected()
__device__ __forceinline__ bool elected() {
  unsigned chosen;
  asm volatile("{ .reg .pred leads; elect.sync _|leads, 0xffffffff; selp.b32 %0, 1, 0, leads; }" : "=r"(chosen));
  return chosen != 0;
}

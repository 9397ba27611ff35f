// prelude/arrivals.cu: blocks that count each other.
//   gives: unsigned count_arrival(unsigned*, unsigned); bool any_in_group(int, int, bool)
// From 0 to `last`, and anew from 0. Who counts later sees what was written before.
__device__ __forceinline__ unsigned count_arrival(unsigned* counter, unsigned last) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(counter), "r"(last) : "memory");
  return before;
}
// A barrier of the group that tells whether one of its threads said yes. A vote says it once more: then compilers know that
// a warp stays together, and keep addresses of the main loop around it in registers that lanes share.
__device__ __forceinline__ bool any_in_group(int group, int threads, bool says) {
  int any;
  asm volatile(
      "{ .reg .pred says, any;\n"
      "setp.ne.s32 says, %3, 0;\n"
      "bar.red.or.pred any, %1, %2, says;\n"
      "selp.s32 %0, 1, 0, any; }" : "=r"(any) : "r"(1 + group), "r"(threads), "r"(static_cast<int>(says)) : "memory");
  return __any_sync(0xffffffff, any != 0) != 0;
}

// prelude/arrivals.cu (seen): how many blocks there are. Who sees them sees what was written before.
//   gives: unsigned arrivals_of(const unsigned*)
__device__ __forceinline__ unsigned arrivals_of(const unsigned* counter) {
  unsigned count;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(counter) : "memory");
  return count;
}

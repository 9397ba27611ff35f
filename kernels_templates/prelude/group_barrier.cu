// prelude/group_barrier.cu: a barrier of one group of threads.
//   gives: void group_barrier(int, int)
__device__ __forceinline__ void group_barrier(int group, int threads) { asm volatile("bar.sync %0, %1;" ::"r"(1 + group), "r"(threads) : "memory"); }

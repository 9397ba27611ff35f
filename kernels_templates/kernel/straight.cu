$[words]

// kernel/straight.cu: each block computes one tile of D from fragments that every thread loads itself: nothing
// of A and B lies in shared memory. Groups of threads may share out K. In time:
//   every group   asks for all fragments of its part of k-tile 0, multiplies them  ...  of k-tile 1  ...
//   the others    leave their sums in shared memory
//   the first     adds them in order, stores D
//   needs: type FragmentC; int kAccumulatorRegisters, kBlocksPerSm, kThreads
//   gives: FragmentC acc; int k_tile, thread; unsigned char* smem
//   fills: signature = straight(); thread = threadIdx.x
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${signature} {
  extern __shared__ __align__(16) unsigned char smem[];
  const int thread = ${thread};
  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

  $[share]
  $[products]
  $[epilogue]
}

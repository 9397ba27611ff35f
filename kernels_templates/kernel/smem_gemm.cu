$[banner]
$[contents]

$[types]

$[constants]

$[functions]

// kernel/smem_gemm.cu: each block computes one tile of D from tiles of A and B in shared memory.
$[story]
//   needs: type FragmentC; int kAccumulatorRegisters, kBlocksPerSm, kSmemABytes, kThreads
//   gives: FragmentC acc; int thread; unsigned char* smem, smem_a, smem_b
//   fills: symbol = smem_gemm
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${symbol}(
    $[parameters]
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  unsigned char* const smem_a = smem;
  unsigned char* const smem_b = smem + kSmemABytes;
  const int thread = threadIdx.x;
  $[extents]

  $[raster]

  $[operands]

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

  $[mainloop]

  $[epilogue]
}

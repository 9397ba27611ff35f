$[words]

// kernel/register_staged.cu: each block computes one tile of D from tiles of A and B in shared memory.
// Every thread copies its share of both tiles, and computes its own part of the tile of D. In time, from
// one barrier of the block to the next:
//   loads into registers    tile 1           tile 2           ...   asked for first, waited for last
//   multiplies              tile 0, stage 0  tile 1, stage 1  ...
//   stores into a stage     tile 1, stage 1  tile 2, stage 0  ...   nobody reads that stage now
//   needs: type FragmentC; int kAccumulatorRegisters, kBlocksPerSm, kStages, kThreads
//   gives: FragmentC acc; int k_tile, read_stage, stage, thread; unsigned char* smem
//   fills: signature = register_staged(); if_any = if (k_tiles > 0)
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${signature} {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x;
  $[share]

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
  $[multiply]
  //   needs: int k_tiles; void load_a(), load_b(), multiply(int), put_a(int), put_b(int)

  int stage = 0;
  ${if_any}{
    load_a();
    load_b();
    put_a(stage);
    put_b(stage);
  }
  __syncthreads();
  $[landed]
  #pragma unroll 1
  for (int k_tile = 1; k_tile <= k_tiles; ++k_tile) {
    const int read_stage = stage;
    if (k_tile < k_tiles) {
      load_a();
      load_b();
    }
    multiply(read_stage);
    if (k_tile < k_tiles) {
      stage = stage + 1 == kStages ? 0 : stage + 1;
      put_a(stage);
      put_b(stage);
    }
    __syncthreads();
  }

  $[epilogue]
}

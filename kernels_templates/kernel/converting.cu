$[words]

// kernel/converting.cu: each block computes one tile of D from tiles of A and B in shared memory. Every thread copies its
// share of both tiles into stages as memory has them. Of what is not multiplied as it is, it also converts its share, a
// k-tile ahead, into one of two places. In time, from one barrier of the block to the next:
//   asks for k-tile t + kStages - 1, into the stage that k-tile t - 1 has left
//   waits until its own share of k-tile t + 1 has landed, and reads what is to be converted of it
//   multiplies k-tile t
//   converts k-tile t + 1, into the place that k-tile t - 1 has left
//   needs: type FragmentC; int kAccumulatorRegisters, kBlocksPerSm, kStages, kThreads; void wait_copies<>()
//   gives: FragmentC acc; int k_tile, thread; unsigned char* smem
//   fills: signature = converting(); if_any = if (k_tiles > 0)
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${signature} {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x;
  $[share]
  //   needs: int k_tiles, read_place, read_stage; void ask_stage(bool), convert_stage(int), load_stored(int)

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
  $[multiply]
  //   needs: void multiply(int)

  #pragma unroll 1
  for (int ahead = 0; ahead < kStages - 1; ++ahead) ask_stage(ahead < k_tiles);
  wait_copies<kStages - 2>();
  ${if_any}{
    load_stored(0);
    convert_stage(0);
  }
  __syncthreads();
  $[landed]
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    ask_stage(k_tile + kStages - 1 < k_tiles);
    wait_copies<kStages - 2>();
    const int next_stage = read_stage + 1 == kStages ? 0 : read_stage + 1;
    if (k_tile + 1 < k_tiles) load_stored(next_stage);
    multiply(read_stage);
    if (k_tile + 1 < k_tiles) convert_stage(1 - read_place);
    __syncthreads();
    read_stage = next_stage;
    read_place = 1 - read_place;
  }

  $[epilogue]
}

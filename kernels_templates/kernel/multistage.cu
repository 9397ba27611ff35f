$[words]

// kernel/multistage.cu: each block computes one tile of D from tiles of A and B in shared memory. Every thread
// copies its share of both tiles, and every warp computes its own part of the tile of D. In time, from one
// barrier of the block to the next, with s the stage of a k-tile:
//   multiplies k-tile t in its stage s, fragments read a k-step ahead
//   asks for k-tile t + kStages - 1, into the stage that k-tile t - 1 has left
//   waits until k-tile t + 1 has landed, and for all threads: then s may be written again
//   needs: type FragmentA, FragmentB, FragmentC
//   needs: int kAccumulatorRegisters, kBlocksPerSm, kKSteps, kReadsA, kReadsB, kRepeatN, kStages, kThreads
//   needs: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int), wait_copies<>()
//   gives: FragmentC acc; int thread; unsigned char* smem
//   fills: signature = multistage(); sums = acc; if_any = if (k_tiles > 0)
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${signature} {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x;
  $[share]
  //   needs: int kCopyStepB, kRowReadsA, kRowReadsB; int k_tiles, read_stage; unsigned a_target, b_target
  //   needs: void feed_a(FragmentA&, int, int, int, int), feed_b(FragmentB&, int, int, int, int), fill_stages()
  //   needs: void load_a(unsigned), load_b(unsigned), next_stage(bool)

  FragmentC acc;
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
  FragmentA a_frag[2];
  FragmentB b_frag[2];
  fill_stages();
  $[landed]
  // The fragments of the very first k-step: those of each later one are read a step ahead.
  ${if_any}{
    feed_a(a_frag[0], 0, 0, 0, kReadsA);
    feed_b(b_frag[0], 0, 0, 0, kReadsB);
  }
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    const bool copies = k_tile + kStages - 1 < k_tiles;
    $[begin]
    #pragma unroll
    for (int k_step = 0; k_step < kKSteps; ++k_step) {
      if (k_step == kKSteps - 1) next_stage(k_tile + 1 < k_tiles);
      const int next_step = (k_step + 1) % kKSteps;
      #pragma unroll
      for (int j = 0; j < kRepeatN; ++j) {
        multiply_row(${sums}, a_frag[k_step % 2], b_frag[k_step % 2], j);
        feed_a(a_frag[next_step % 2], read_stage, next_step, j * kRowReadsA, min((j + 1) * kRowReadsA, kReadsA));
        feed_b(b_frag[next_step % 2], read_stage, next_step, j * kRowReadsB, min((j + 1) * kRowReadsB, kReadsB));
        if (k_step == 0 && j == kRepeatN / 2 && copies) load_a(a_target);
        if (k_step == kCopyStepB && j == kRepeatN / 2 && copies) load_b(b_target);
      }
    }
    $[add]
  }
  // The epilogue may use the stages: nothing is on its way to them, nobody reads them.
  wait_copies<0>();
  __syncthreads();

  $[epilogue]
}

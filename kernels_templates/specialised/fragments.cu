// specialised/fragments.cu: warps read their fragments of a stage, then multiply. TMA fills the stage again
// only behind these reads: without the fence those that queue behind other warps' stores may come too late.
//   needs: int kBarrierBytes
//   needs: FragmentC acc; Pipe pipe; int kAccumulatorRegisters; int k_tiles; unsigned full
//   needs: void hand_to_tma(), multiply(int), release_stage(int), wait_for(unsigned, int)
//   gives: int k_tile
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
  $[meanwhile]
  multiply(pipe.stage);
  hand_to_tma();
  __syncwarp();
  release_stage(pipe.stage);
  pipe.next();
}

// specialised/fragments.cu (places): where this thread finds its fragments in stage 0.
//   needs: int kOffsetA, kOffsetB; int worker; unsigned shared; unsigned char* smem; int read_a_base(int), read_b_base(int)
//   gives: int a_read, b_read; unsigned shared_a, shared_b; unsigned char* smem_a, smem_b
unsigned char *const smem_a = smem + kOffsetA, *const smem_b = smem + kOffsetB;
const unsigned shared_a = shared + kOffsetA, shared_b = shared + kOffsetB;
const int a_read = read_a_base(worker), b_read = read_b_base(worker);

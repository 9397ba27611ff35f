// specialised/fragments.cu: warps read their fragments of a stage, then multiply.
//   needs: FragmentC acc; Pipe pipe; int kAccumulatorRegisters; int k_tiles; unsigned full
//   needs: void multiply(int), release_stage(int), wait_for(unsigned, int)
//   gives: int k_tile
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  wait_for(full + 8 * pipe.stage, pipe.parity);
  $[c_ahead]
  multiply(pipe.stage);
  __syncwarp();
  release_stage(pipe.stage);
  pipe.next();
}

// specialised/products.cu: the tensor core reads stages itself; while it multiplies a k-tile, the next
// one's products are already issued. A stage is free again when its products are done.
//   needs: FragmentC acc; Pipe pipe
//   needs: int kAccumulatorRegisters, kAtomRegistersC, kKSteps, kRepeatM, kRepeatN, kStageBytesA, kStageBytesB; int k_tiles
//   needs: unsigned full; unsigned long long a_matrix, b_matrix; int matrix_a(int, int), matrix_b(int, int)
//   needs: void commit_products(), fence_products(), hold<>(RegisterC&)
//   needs: void mma(RegisterC*, unsigned long long, unsigned long long, int), release_stage(int)
//   needs: void wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile
int previous = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  wait_for(full + 8 * pipe.stage, pipe.parity);
  fence_products();
  const unsigned long long a = a_matrix + pipe.stage * (kStageBytesA / 16), b = b_matrix + pipe.stage * (kStageBytesB / 16);
  #pragma unroll
  for (int k_step = 0; k_step < kKSteps; ++k_step) {
    #pragma unroll
    for (int j = 0; j < kRepeatN; ++j) {
      #pragma unroll
      for (int i = 0; i < kRepeatM; ++i)
        mma(acc.reg + kAtomRegistersC * (i + kRepeatM * j), a + matrix_a(0, i + kRepeatM * k_step) / 16,
            b + matrix_b(0, j + kRepeatN * k_step) / 16, k_tile > 0 || k_step > 0);
    }
  }
  commit_products();
  $[c_ahead]
  wait_products<1>();
  if (k_tile > 0) release_stage(previous);
  previous = pipe.stage;
  pipe.next();
}
wait_products<0>();
if (k_tiles > 0) release_stage(previous);
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) hold(acc.reg[i]);
if (k_tiles == 0) {
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;
}

// specialised/products_promoted.cu: the tensor core reads stages itself and keeps few bits of sums, so that
// every ${run} of k are summed on their own and then added in full; meanwhile other groups multiply.
//   needs: type FragmentC; FragmentC acc; Pipe pipe
//   needs: int kAccumulatorRegisters, kAccumulators, kAtomRegistersC, kKSteps, kPromoteTiles, kRepeatM, kRepeatN, kStageBytesA, kStageBytesB
//   needs: int k_tiles; unsigned full; unsigned long long a_matrix, b_matrix; int matrix_a(int, int), matrix_b(int, int)
//   needs: void commit_products(), fence_products(), hold<>(RegisterC&)
//   needs: void mma(RegisterC*, unsigned long long, unsigned long long, int), release_stage(int)
//   needs: void wait_for(unsigned, int), wait_products<>()
//   gives: int k_tile
//   fills: run = 128
FragmentC part;
#pragma unroll
for (int i = 0; i < kAccumulators; ++i) acc.elem[i] = 0;
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
        mma(part.reg + kAtomRegistersC * (i + kRepeatM * j), a + matrix_a(0, i + kRepeatM * k_step) / 16,
            b + matrix_b(0, j + kRepeatN * k_step) / 16, k_tile % kPromoteTiles > 0 || k_step > 0);
    }
  }
  commit_products();
  $[c_ahead]
  wait_products<0>();
  release_stage(pipe.stage);
  pipe.next();
  #pragma unroll
  for (int i = 0; i < kAccumulatorRegisters; ++i) hold(part.reg[i]);
  if (k_tile % kPromoteTiles == kPromoteTiles - 1 || k_tile == k_tiles - 1) {
    #pragma unroll
    for (int i = 0; i < kAccumulators; ++i) acc.elem[i] += part.elem[i];
  }
}

// specialised/fill_slab.cu: rows of a slab by matrix stores, each of what neighbouring lanes hold.
//   needs: int kSlabStores, kStoreRegisters; int slab_thread, turn; unsigned slab; int slab_row(int, int)
//   needs: unsigned pair_from_compute(float, float); void store_matrix(unsigned, const unsigned*)
//   gives: int first, i
//   fills: left = 1.f; right = 2.f
#pragma unroll
for (int i = 0; i < kSlabStores; ++i) {
  const int first = (turn * kSlabStores + i) * 2 * kStoreRegisters;
  $[read_c]
  unsigned pair[kStoreRegisters];
  #pragma unroll
  for (int e = 0; e < 2 * kStoreRegisters; e += 2) pair[e / 2] = pair_from_compute(${left}, ${right});
  store_matrix(slab_row(slab + slab_thread, i), pair);
}

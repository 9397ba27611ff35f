// specialised/fill_slab.cu: rows of a slab by matrix stores, each of what neighbouring lanes hold.
#pragma unroll
for (int i = 0; i < kSlabStores; ++i) {
  const int first = (turn * kSlabStores + i) * 2 * kStoreRegisters;
  $[read_c]
  unsigned pair[kStoreRegisters];
  #pragma unroll
  for (int e = 0; e < 2 * kStoreRegisters; e += 2) pair[e / 2] = pair_from_compute(${left}, ${right});
  store_matrix(slab_row(slab + slab_thread, i), pair);
}

// specialised/slabs.cu: a group's accumulators, turn by turn, through a slab of shared memory that TMA
// stores; a slab is written again when TMA has read it.
//   needs: const TensorMap map_d
//   needs: int kGroupThreads, kSlabBoxInner, kSlabBoxOuter, kSlabBoxes, kSlabBoxesInner, kSlabBytes, kSlabCopies, kSlabTurns, kTileM, kTileN
//   needs: int group, in_group, matrix, slab_m_group, slab_n_group, tile_m, tile_n; unsigned group_slab
//   needs: int slab_box(int), slab_m(int), slab_n(int); void commit_stores(), group_barrier(int, int), show_to_tma()
//   needs: void store_box(const TensorMap&, int, int, int, unsigned)
//   gives: bool by_rows; int col, row, turn; unsigned slab
//   fills: inner = col; outer = row
$[before]
#pragma unroll
for (int turn = 0; turn < kSlabTurns; ++turn) {
  const unsigned slab = group_slab + turn % kSlabCopies * kSlabBytes;
  const int row = tile_m * kTileM + slab_m_group + slab_m(turn), col = tile_n * kTileN + slab_n_group + slab_n(turn);
  $[wait]
  $[fill]
  show_to_tma();
  group_barrier(group, kGroupThreads);
  bool by_rows = false;
  $[edge]
  if (in_group == 0 && !by_rows) {
    #pragma unroll
    for (int box = 0; box < kSlabBoxes; ++box)
      store_box(map_d, ${inner} + box % kSlabBoxesInner * kSlabBoxInner, ${outer} + box / kSlabBoxesInner * kSlabBoxOuter,
                matrix, slab + slab_box(box));
  }
  if (in_group == 0) commit_stores();  // also of nothing: groups are counted by turns
  $[next_c]
}

// specialised/slab_c_ahead.cu: C for the first slabs is on its way while the tile is multiplied.
//   needs: Compute beta; Place at; int kSlabCopies, kStages; int in_group, k_tile, k_tiles
//   needs: void load_c(int, const Place&), wait_stores_read<>()
if (k_tile == min(kStages, k_tiles - 1) && beta != 0 && in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = 0; turn < kSlabCopies; ++turn) load_c(turn, at);
}

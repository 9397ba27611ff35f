// specialised/slab_c_now.cu: C comes for all slabs at once.
//   needs: Compute beta; Place at; int kSlabCopies; int in_group, k_tiles
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: when = k_tiles == 0 &&
if (${when}beta != 0 && in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = 0; turn < kSlabCopies; ++turn) load_c(turn, at);
}

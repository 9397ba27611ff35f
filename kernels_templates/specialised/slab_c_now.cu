// specialised/slab_c_now.cu: C comes for all slabs at once.
if (${when}beta != 0 && in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = 0; turn < kSlabCopies; ++turn) load_c(turn, at);
}

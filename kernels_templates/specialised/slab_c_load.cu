// specialised/slab_c_load.cu: a slab of C, as D will lie there.
//   needs: type Place; const TensorMap map_c
//   needs: int kCBytes, kCFullOffset, kSlabBoxInner, kSlabBoxOuter, kSlabBoxes, kSlabBoxesInner, kSlabBytes, kSlabCopies, kTileM, kTileN
//   needs: int group, slab_m_group, slab_n_group; unsigned group_slab, shared; int slab_box(int), slab_m(int), slab_n(int)
//   needs: void expect_bytes(unsigned, int), load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   gives: int c_turns; unsigned c_full; void load_c(int, const Place&)
//   fills: inner = col; outer = row; matrix = 0
const unsigned c_full = shared + kCFullOffset + 8 * kSlabCopies * group;
int c_turns = 0;
const auto load_c = [&](int turn, const Place& at) {
  const unsigned slab_full = c_full + 8 * (turn % kSlabCopies), slab = group_slab + turn % kSlabCopies * kSlabBytes;
  const int row = at.tile_m * kTileM + slab_m_group + slab_m(turn), col = at.tile_n * kTileN + slab_n_group + slab_n(turn);
  expect_bytes(slab_full, kCBytes);
  #pragma unroll
  for (int box = 0; box < kSlabBoxes; ++box)
    load_box(slab + slab_box(box), map_c, ${inner} + box % kSlabBoxesInner * kSlabBoxInner,
             ${outer} + box / kSlabBoxesInner * kSlabBoxOuter, ${matrix}, slab_full);
};

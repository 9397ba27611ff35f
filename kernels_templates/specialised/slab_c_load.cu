// specialised/slab_c_load.cu: a slab of C, as D will lie there.
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

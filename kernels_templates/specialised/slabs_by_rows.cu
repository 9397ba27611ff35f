// specialised/slabs_by_rows.cu: a group's accumulators, turn by turn, through a slab of shared memory, from which
// warps store rows of D that begin anywhere: in words of four bytes, each of two words of the slab where a row
// begins in the middle of one.
//   needs: FragmentC acc; type ElemD, FragmentC; ElemD* d; int kAccumulatorRegisters; unsigned char* smem
//   needs: int kGroupThreads, kSlabBytes, kSlabColumns, kSlabCopies, kSlabRows, kSlabTurns, kTileM, kTileN
//   needs: int group, in_group, m, matrix, n, slab_m_group, slab_n_group, tile_m, tile_n; unsigned group_slab, shared
//   needs: int edge_row(int, int), edge_row_base(int), slab_m(int), slab_n(int); long long batch_stride_d, ldd
//   needs: void group_barrier(int, int)
//   gives: int col, row, turn; unsigned slab
//   fills: first = 0; end = kSlabTurns
$[before]
#pragma unroll
for (int turn = ${first}; turn < ${end}; ++turn) {
  const unsigned slab = group_slab + turn % kSlabCopies * kSlabBytes;
  const int row = tile_m * kTileM + slab_m_group + slab_m(turn), col = tile_n * kTileN + slab_n_group + slab_n(turn);
  $[fill]
  group_barrier(group, kGroupThreads);
  const int left = min(kSlabColumns, n - col), lane = in_group % 32;
  #pragma unroll 4
  for (int i = 0; i < kSlabRows; i += kGroupThreads / 32) {
    const int line = i + in_group / 32, slab_line = edge_row_base(line);
    const bool exists = row + line < m;
    ElemD* const to = d + matrix * batch_stride_d + (row + line) * ldd + col;
    const auto slab_at = [&](int column) { return smem + (slab - shared) + edge_row(slab_line, column); };
    const auto pair_at = [&](int column) { return *reinterpret_cast<const unsigned*>(slab_at(column)); };
    // Elements of the row ahead of its first whole word: one or none.
    const int ahead = static_cast<int>(reinterpret_cast<unsigned long long>(to) / sizeof(ElemD)) & 1;
    ElemD* const words = to - ahead + 2 * lane;
    #pragma unroll
    for (int first = 0; first < kSlabColumns; first += 64) {
      const int column = first + 2 * lane, read = min(column, kSlabColumns - 2);
      const unsigned before = pair_at(read >= 2 * ahead ? read - 2 * ahead : read);
      const unsigned word = __funnelshift_l(before, pair_at(read), 16 * ahead);
      if (exists && column >= ahead && column + 1 - ahead < left) *reinterpret_cast<unsigned*>(words + first) = word;
    }
    // What no whole word holds: the first element of such a row, and the last where an odd number is left.
    if (exists && lane == 0 && left > 0) {
      if (ahead != 0) to[0] = *reinterpret_cast<const ElemD*>(slab_at(0));
      if ((left + ahead) % 2 != 0) to[left - 1] = *reinterpret_cast<const ElemD*>(slab_at(left - 1));
    }
  }
  $[behind]
}
// Accumulators that begin anew do not hold their registers while rows are stored.
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

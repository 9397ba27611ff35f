// specialised/subtiles_by_rows.cu: a group's accumulators, turn by turn, through a subtile of shared memory, from which
// its threads store rows of D that begin anywhere, or inside sectors: by chunks of 16 bytes as D has them, each from the two of the
// subtile that it lies across.
//   needs: FragmentC acc; type ElemD, FragmentC; ElemD* d; int kAccumulatorRegisters; unsigned char* smem
//   needs: int kGroupThreads, kOutElems, kSubtileBytes, kSubtileColumns, kSubtileCopies, kSubtileRows, kSubtileTurns
//   needs: int first_m, first_n, group, in_group, m, matrix, n, subtile_m_group, subtile_n_group; unsigned group_subtile, shared
//   needs: int edge_row(int, int), edge_row_base(int), subtile_m(int), subtile_n(int); long long batch_stride_d, ldd
//   needs: uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*); void store_chunk(void*, uint4)
//   needs: void group_barrier(int, int)
//   gives: int col, kChunkElems, left, row, turn; unsigned subtile; ElemD* corner
//   gives: int ahead_of(const ElemD*); unsigned char* subtile_at(int, int)
//   fills: first = 0; end = kSubtileTurns
$[before]
#pragma unroll
for (int turn = ${first}; turn < ${end}; ++turn) {
  const unsigned subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
  const int row = first_m + subtile_m_group + subtile_m(turn), col = first_n + subtile_n_group + subtile_n(turn);
  $[fill]
  group_barrier(group, kGroupThreads);
  constexpr int kChunkElems = 16 / sizeof(ElemD), kRowChunks = kSubtileColumns / kChunkElems, kChunks = kSubtileRows * kRowChunks;
  const int left = min(kSubtileColumns, n - col);
  ElemD* const corner = d + matrix * batch_stride_d + row * ldd + col;
  const auto subtile_at = [&](int line, int column) { return smem + (subtile - shared) + edge_row(edge_row_base(line), column); };
  // Elements of a row ahead of its first whole chunk.
  const auto ahead_of = [](const ElemD* to) {
    return kOutElems == kChunkElems ? 0 : static_cast<int>(16 - past_chunk(to)) % 16 / static_cast<int>(sizeof(ElemD));
  };
  #pragma unroll 2
  for (int i = 0; i < kChunks; i += kGroupThreads) {
    const int unit = i + in_group, line = unit / kRowChunks, column = unit % kRowChunks * kChunkElems;
    if (kChunks % kGroupThreads != 0 && unit >= kChunks) break;
    ElemD* const to = corner + line * ldd;
    const int ahead = ahead_of(to);
    const auto chunk_at = [&](int first) { return *reinterpret_cast<const uint4*>(subtile_at(line, min(first, kSubtileColumns - kChunkElems))); };
    // Where it lies across one alone, the next may be past what was computed.
    const uint4 chunk = chunk_behind(chunk_at(column), chunk_at(ahead == 0 ? column : column + kChunkElems), ahead * sizeof(ElemD));
    if (row + line < m && ahead + column + kChunkElems <= left) store_chunk(to + ahead + column, chunk);
  }
  $[ends]
  $[behind]
}
// Accumulators that begin anew do not hold their registers while rows are stored.
#pragma unroll
for (int i = 0; i < kAccumulatorRegisters; ++i) acc.reg[i] = 0;

// specialised/subtiles_by_rows.cu (ends): what no whole chunk holds, ahead of a row's first and behind its last: by as many
// elements as all rows are aligned to.
//   needs: type ElemD, Vector<>; ElemD* corner; int kChunkElems, kGroupThreads, kOutElems, kSubtileRows, in_group, left, m, row
//   needs: int ahead_of(const ElemD*); unsigned char* subtile_at(int, int); long long ldd
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
constexpr int kOfEnd = kChunkElems / kOutElems, kEnds = 2 * kOfEnd;
#pragma unroll 2
for (int i = 0; i < kSubtileRows * kEnds; i += kGroupThreads) {
  const int line = (i + in_group) / kEnds, end = in_group % kEnds;
  ElemD* const to = corner + line * ldd;
  const int ahead = min(left, ahead_of(to)), behind = left - (left - ahead) % kChunkElems;
  const int column = end < kOfEnd ? end * kOutElems : behind + (end - kOfEnd) * kOutElems;
  if (row + line < m && column < (end < kOfEnd ? ahead : left)) {
    Vector<ElemD, kOutElems> piece;
    piece.word = *reinterpret_cast<const decltype(piece.word)*>(subtile_at(line, column));
    put_vector(to + column, piece, left - column);
  }
}

// specialised/subtiles_by_rows.cu (read): what TMA brings into the subtile next comes behind all that was read of it.
//   needs: int group, kGroupThreads; void group_barrier(int, int), hand_to_tma()
hand_to_tma();
group_barrier(group, kGroupThreads);

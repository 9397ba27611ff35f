// specialised/subtiles.cu: a group's accumulators, turn by turn, through a subtile of shared memory that TMA
// stores; a subtile is written again when TMA has read it.
//   needs: int kGroupThreads, kSubtileBytes, kSubtileCopies, kSubtileTurns
//   needs: int first_m, first_n, group, in_group, subtile_m_group, subtile_n_group; unsigned group_subtile
//   needs: int subtile_m(int), subtile_n(int); void commit_stores(), group_barrier(int, int), hand_to_tma()
//   gives: int col, row, turn; unsigned subtile
//   fills: first = 0; end = kSubtileTurns; subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes
$[before]
#pragma unroll
for (int turn = ${first}; turn < ${end}; ++turn) {
  const unsigned subtile = ${subtile};
  const int row = first_m + subtile_m_group + subtile_m(turn), col = first_n + subtile_n_group + subtile_n(turn);
  $[fill]
  hand_to_tma();
  group_barrier(group, kGroupThreads);
  $[edge]
  $[store]
  if (in_group == 0) commit_stores();  // also of nothing: groups are counted by turns
  $[behind]
}

// specialised/subtiles.cu (store): what the subtile holds, box by box.
//   needs: const TensorMap map_d; int kSubtileBoxInner, kSubtileBoxOuter, kSubtileBoxes, kSubtileBoxesInner
//   needs: int col, in_group, matrix, row; unsigned subtile; int subtile_box(int); void store_box(const TensorMap&, int, int, int, unsigned)
//   fills: store = store_box; inner = col; outer = row; map = map_d; matrix = matrix; by_boxes =
if (${by_boxes}in_group == 0) {
  #pragma unroll
  for (int box = 0; box < kSubtileBoxes; ++box)
    ${store}(${map}, ${inner} + box % kSubtileBoxesInner * kSubtileBoxInner, ${outer} + box / kSubtileBoxesInner * kSubtileBoxOuter,
              ${matrix}, subtile + subtile_box(box));
}

// specialised/subtiles.cu (place): the subtiles of this group, and which part of the tile passes through them.
//   needs: int kSubtileBytes, kSubtileCopies, kSubtileOffset; int group, in_group, member; unsigned shared
//   needs: int subtile_m_base(int), subtile_n_base(int), subtile_row_base(int)
//   gives: int subtile_m_group, subtile_n_group, subtile_thread; unsigned group_subtile
const unsigned group_subtile = shared + kSubtileOffset + group * kSubtileCopies * kSubtileBytes;
const int subtile_thread = subtile_row_base(in_group);
const int subtile_m_group = subtile_m_base(member), subtile_n_group = subtile_n_base(member);

// specialised/subtiles.cu (in stages): subtiles lie where stages were; no group reads one any more.
//   needs: int kConsumerWarps, kGroups; void group_barrier(int, int)
group_barrier(kGroups, 32 * kConsumerWarps);

// specialised/subtiles.cu (wait): of the subtile's last contents, TMA has read all.
//   needs: int kGroupThreads, kSubtileCopies; int group, in_group; void group_barrier(int, int), wait_stores_read<>()
if (in_group == 0) wait_stores_read<kSubtileCopies - 1>();
group_barrier(group, kGroupThreads);

// specialised/subtiles.cu (edge): where N ends inside 16 bytes, TMA would write on to their end: such a subtile is
// stored by threads, a row each.
//   needs: type ElemD, Vector<>; ElemD* d; int kGroupThreads, kOutElems, kSubtileColumns, kSubtileRows
//   needs: int col, group, in_group, m, matrix, n, row; long long batch_stride_d, ldd; unsigned shared, subtile
//   needs: unsigned char* smem; int edge_row(int, int), edge_row_base(int)
//   needs: void group_barrier(int, int), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: bool by_rows
const bool by_rows = n % kOutElems != 0 && col + kSubtileColumns > n;
if (by_rows) {
  if (in_group < kSubtileRows && row + in_group < m) {
    ElemD* const d_row = d + matrix * batch_stride_d + (row + in_group) * ldd + col;
    #pragma unroll 1
    for (int first = 0; first < n - col; first += kOutElems) {
      Vector<ElemD, kOutElems> piece;
      piece.word = *reinterpret_cast<const uint4*>(smem + (subtile - shared) + edge_row(edge_row_base(in_group), first));
      put_vector(d_row + first, piece, n - col - first);
    }
  }
  group_barrier(group, kGroupThreads);
}

// specialised/subtiles.cu (edge of a view): where the subtile reaches past D, threads store what is in it, by 16 bytes: of a View's last
// block of rows a box would be whole.
//   needs: type ElemD, Vector<>; ElemD* d; int kGroupThreads, kOutElems, kSubtileColumns, kSubtileRows
//   needs: int col, group, in_group, m, matrix, n, row; unsigned shared, subtile; unsigned char* smem
//   needs: int edge_row(int, int), edge_row_base(int); long long element_d(unsigned, unsigned, unsigned)
//   needs: void group_barrier(int, int), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: bool by_rows
//   fills: chunks = kSubtileColumns / kOutElems; line = i / kChunks; first = i % kChunks * kOutElems; place = row + line, col + first; left = n - col - first
const bool by_rows = row + kSubtileRows > m || col + kSubtileColumns > n;
if (by_rows) {
  constexpr int kChunks = ${chunks};
  #pragma unroll 2
  for (int i = in_group; i < kSubtileRows * kSubtileColumns / kOutElems; i += kGroupThreads) {
    const int line = ${line}, first = ${first};
    if (row + line >= m || col + first >= n) continue;
    Vector<ElemD, kOutElems> piece;
    piece.word = *reinterpret_cast<const uint4*>(smem + (subtile - shared) + edge_row(edge_row_base(line), first));
    put_vector(d + element_d(${place}, matrix), piece, ${left});
  }
  group_barrier(group, kGroupThreads);
}

// specialised/subtiles.cu (edge of a group): where the subtile reaches past the rows of its problem group, or N ends inside 16 bytes,
// threads store what is in it, by 16 bytes, neighbours of a row together.
//   needs: type ElemD, Vector<>; ElemD* d; int kGroupThreads, kOutElems, kSubtileColumns, kSubtileRows
//   needs: int col, group, in_group, m, matrix, n, row; long long batch_stride_d, ldd; unsigned shared, subtile
//   needs: unsigned char* smem; int edge_row(int, int), edge_row_base(int)
//   needs: void group_barrier(int, int), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: bool by_rows
const bool by_rows = row + kSubtileRows > m || (n % kOutElems != 0 && col + kSubtileColumns > n);
if (by_rows) {
  constexpr int kRowChunks = kSubtileColumns / kOutElems;
  #pragma unroll 2
  for (int i = in_group; i < kSubtileRows * kRowChunks; i += kGroupThreads) {
    const int line = i / kRowChunks, first = i % kRowChunks * kOutElems;
    if (row + line >= m || col + first >= n) continue;
    Vector<ElemD, kOutElems> piece;
    piece.word = *reinterpret_cast<const uint4*>(smem + (subtile - shared) + edge_row(edge_row_base(line), first));
    put_vector(d + matrix * batch_stride_d + (row + line) * ldd + col + first, piece, n - col - first);
  }
  group_barrier(group, kGroupThreads);
}

// specialised/subtiles.cu (operands): where this thread's first element lies in the epilogue's own operands.
//   needs: int first_m, first_n, worker; int out_m_base(int), out_n_base(int)
//   gives: int in_col, in_row
const int in_row = first_m + out_m_base(worker), in_col = first_n + out_n_base(worker);
$[sources]
$[arrays]

// specialised/subtiles.cu (read inputs): what a subtile takes from the inputs is asked for a turn ahead.
//   gives: int turn; void read_inputs(int)
const auto read_inputs = [&](int turn) {
  $[reads]
};

// specialised/subtiles.cu (first inputs): for the first subtile before the last products are done.
//   needs: int k_tile, k_tiles; void read_inputs(int)
if (k_tile == k_tiles - 1) read_inputs(0);

// specialised/subtiles.cu (next inputs): for the subtile after this one.
//   needs: int kSubtileTurns; int turn; void read_inputs(int)
//   fills: end = kSubtileTurns
if (turn + 1 < ${end}) read_inputs(turn + 1);

// specialised/subtiles.cu (inputs now): without products nobody has asked yet.
//   needs: int k_tiles; void read_inputs(int)
//   fills: when = if (k_tiles == 0); first = 0
${when}read_inputs(${first});

// specialised/subtiles.cu (width): past the launch's columns no subtile leaves, and the last one has a box of its own. Behind the last
// rows nothing more does; ahead of them what is left out counts as a subtile. What jumped over each would fetch all instructions.
//   needs: int kSubtileTurns, kTileN; int in_group, turn; int subtile_m(int), subtile_n(int); void commit_stores()
//   gives: bool is_behind, is_past
const bool is_past = subtile_n(turn) >= kTileN, is_behind = is_past && subtile_m(turn) == subtile_m(kSubtileTurns - 1);
if (is_past && !is_behind && in_group == 0) commit_stores();
if (is_behind) break;
if (is_past) continue;

// specialised/subtiles.cu (last tile): subtiles of a block's last tile lie where its stages were, each in its own place; before others TMA
// must have read those of the tile before, however many it had.
//   needs: int cluster, clusters, group, in_group, kConsumerWarps, kGroups, kOffsetA, kSubtileBytes, kSubtileTurns, my_step; unsigned shared
//   needs: void group_barrier(int, int), wait_stores_read<>()
//   gives: bool is_final; unsigned last_subtile
const bool is_final = cluster + my_step >= clusters;
const unsigned last_subtile = shared + kOffsetA + group * kSubtileTurns * kSubtileBytes;
if (is_final) group_barrier(kGroups, 32 * kConsumerWarps);
else if (in_group == 0) wait_stores_read<0>();

// specialised/subtiles.cu (wait ahead of the last): of the subtile's last contents, TMA has read all.
//   needs: bool is_final; int kGroupThreads, kSubtileCopies; int group, in_group; void group_barrier(int, int), wait_stores_read<>()
if (!is_final && in_group == 0) wait_stores_read<kSubtileCopies - 1>();
if (!is_final) group_barrier(group, kGroupThreads);

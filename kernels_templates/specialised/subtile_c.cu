// specialised/subtile_c.cu (load): a subtile of ${what}, as D will lie there.
//   needs: int kBarrierBytes
//   needs: type Place; const TensorMap map_c
//   needs: int kCBytes, kCFullOffset, kSubtileBoxInner, kSubtileBoxOuter, kSubtileBoxes, kSubtileBoxesInner, kSubtileBytes, kSubtileCopies, kTileM, kTileN
//   needs: int group, k_tiles, kGroups, kStages, subtile_m_group, subtile_n_group; unsigned group_subtile, shared; int subtile_box(int), subtile_m(int), subtile_n(int)
//   needs: void expect_bytes(unsigned, int), load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   gives: int c_at, c_every, c_turn, c_turns; unsigned c_full; void load_c(int, const Place&)
//   fills: what = C; load = load_box; inner = col; outer = row; matrix = 0
const unsigned c_full = shared + kCFullOffset + kBarrierBytes * kSubtileCopies * group;
int c_turns = 0;
// Not all at once: the tiles of A and B that are asked for behind it would be late.
const int c_every = max(k_tiles - kStages, 0) / (kGroups * kSubtileCopies + 1);
int c_turn = 0, c_at = min(kStages + group * c_every, k_tiles - 1);
const auto load_c = [&](int turn, const Place& at) {
  const unsigned subtile_full = c_full + kBarrierBytes * (turn % kSubtileCopies), subtile = group_subtile + turn % kSubtileCopies * kSubtileBytes;
  const int row = at.tile_m * kTileM + subtile_m_group + subtile_m(turn), col = at.tile_n * kTileN + subtile_n_group + subtile_n(turn);
  expect_bytes(subtile_full, kCBytes);
  #pragma unroll
  for (int box = 0; box < kSubtileBoxes; ++box)
    ${load}(subtile + subtile_box(box), map_c, ${inner} + box % kSubtileBoxesInner * kSubtileBoxInner,
             ${outer} + box / kSubtileBoxesInner * kSubtileBoxOuter, ${matrix}, subtile_full);
};

// specialised/subtile_c.cu (ahead): ${what} for the first subtiles is on its way while the tile is multiplied, now one subtile, now another.
//   needs: ${factor}Place at; int c_at, c_every, c_turn, kGroups, kSubtileCopies; int in_group, k_tile
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: lands = beta != 0 &&; what = C; factor = Compute beta;
if (k_tile == c_at && ${lands}in_group == 0) {
  if (c_turn == 0) wait_stores_read<0>();
  do {
    load_c(c_turn, at);
    c_at += kGroups * c_every;
  } while (++c_turn < kSubtileCopies && c_every == 0);
  if (c_turn == kSubtileCopies) {
    c_at -= kGroups * kSubtileCopies * c_every;
    c_turn = 0;
  }
}

// specialised/subtile_c.cu (now): ${what} comes for all subtiles at once.
//   needs: ${factor}Place at; int kSubtileCopies; int in_group, k_tiles
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: when = k_tiles == 0 &&; lands = beta != 0 &&; what = C; factor = Compute beta;; first = 0; end = kSubtileCopies
if (${when}${lands}in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = ${first}; turn < ${end}; ++turn) load_c(turn, at);
}

// specialised/subtile_c.cu (next): ${what} for the turn that this subtile serves next.
//   needs: ${factor}Place at; int kSubtileCopies, kSubtileTurns; int in_group, turn
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: lands = beta != 0 &&; what = C; factor = Compute beta;; end = kSubtileTurns
if (turn + kSubtileCopies < ${end} && ${lands}in_group == 0) {
  wait_stores_read<0>();
  load_c(turn + kSubtileCopies, at);
}

// specialised/subtile_c.cu (read): ${what} of a turn is where D will lie.
//   needs: int kBarrierBytes, kSubtileCopies; int c_turns, turn; unsigned c_full, subtile; void wait_for(unsigned, int)
//   gives: unsigned from
//   fills: what = C
wait_for(c_full + kBarrierBytes * (turn % kSubtileCopies), c_turns++ / kSubtileCopies % 2);
const unsigned from = subtile;

// specialised/subtile_c.cu (parts): a turn's ${what} in the order of the accumulators, which leave few registers: all loads of a part
// are on their way before the first store takes the place of what was loaded.
//   needs: type ElemC, Vector<>; int kSubtileStores, kStoreRegisters; int subtile_thread; unsigned from
//   needs: int subtile_row(int, int); void load_matrix(Vector<ElemC, 2>*, unsigned)
//   gives: int kPartOfC; void load_part(int)
//   fills: what = C
constexpr int kPartOfC = 4;  // matrices
Vector<ElemC, 2> from_c[kPartOfC][kStoreRegisters];
const auto load_part = [&](int first) {
  #pragma unroll
  for (int i = 0; i < kPartOfC; ++i)
    if (first + i < kSubtileStores) load_matrix(from_c[i], subtile_row(from + subtile_thread, first + i));
};

// specialised/subtile_c.cu (behind): ${what} of the tile's last turns comes behind its k-tiles, into B's part of the stage of one more.
//   needs: type Pipe, Place; const TensorMap map_c; Pipe pipe; Place at; unsigned free, full, shared
//   needs: int kBarrierBytes, kCBytes, kOffsetB, kRingGroups, kRingTurns, kSubtileBoxInner, kSubtileBoxOuter, kSubtileBoxes, kSubtileBoxesInner
//   needs: int kSubtileBytes, kSubtileTurns, kStageBytesB, kTileM, kTileN; int subtile_box(int), subtile_m(int), subtile_m_base(int)
//   needs: int subtile_n(int), subtile_n_base(int); void expect_bytes(unsigned, int), wait_for(unsigned, int)
//   needs: void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   fills: what = C; load = load_box; inner = col; outer = row; matrix = 0
wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
const unsigned ring_full = full + kBarrierBytes * pipe.stage;
expect_bytes(ring_full, kRingGroups * kRingTurns * kCBytes);
unsigned subtile = shared + kOffsetB + pipe.stage * kStageBytesB;
#pragma unroll
for (int member = 0; member < kRingGroups; ++member) {
  #pragma unroll
  for (int turn = kSubtileTurns - kRingTurns; turn < kSubtileTurns; ++turn, subtile += kSubtileBytes) {
    const int row = at.tile_m * kTileM + subtile_m_base(member) + subtile_m(turn), col = at.tile_n * kTileN + subtile_n_base(member) + subtile_n(turn);
    #pragma unroll
    for (int box = 0; box < kSubtileBoxes; ++box)
      ${load}(subtile + subtile_box(box), map_c, ${inner} + box % kSubtileBoxesInner * kSubtileBoxInner,
               ${outer} + box / kSubtileBoxesInner * kSubtileBoxOuter, ${matrix}, ring_full);
  }
}
pipe.next();

// specialised/subtile_c.cu (read by ring): ${what} of a turn, of the tile's last ones where it has come behind the last k-tile.
//   needs: type Pipe; Pipe pipe; int group, in_group, member, turn; unsigned c_full, full, shared, subtile
//   needs: int kBarrierBytes, kGroupThreads, kOffsetB, kRingTurns, kSubtileBytes, kSubtileCopies, kSubtileTurns, kStageBytesB
//   needs: int c_turns; void group_barrier(int, int), wait_for(unsigned, int), wait_stores_read<>()
//   gives: unsigned from
//   fills: what = C
constexpr int kFirstByRing = kSubtileTurns - kRingTurns;
unsigned from = subtile;
if (turn < kFirstByRing) {
  wait_for(c_full + kBarrierBytes * (turn % kSubtileCopies), c_turns++ / kSubtileCopies % 2);
} else {
  wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
  from = shared + kOffsetB + pipe.stage * kStageBytesB + (member * kRingTurns + turn - kFirstByRing) * kSubtileBytes;
}
if (turn >= kFirstByRing) {
  if (in_group == 0) wait_stores_read<kSubtileCopies - 1>();
  group_barrier(group, kGroupThreads);
}

// specialised/subtile_c.cu (release): the stage that ${what} came in is free again.
//   needs: Pipe pipe; type Pipe; int kSubtileTurns; int turn; void release_stage(int)
//   fills: what = C
if (turn == kSubtileTurns - 1) {
  release_stage(pipe.stage);
  pipe.next();
}

// specialised/subtile_c.cu (matrix): ${atom}; rows of 16 bytes, `row` is the lane's own.
//   needs: type ElemC, Vector<>
//   gives: void load_matrix(Vector<ElemC, 2>*, unsigned)
//   fills: atom = SM75_U32x4_LDSM_N; count = 4
__device__ __forceinline__ void load_matrix(Vector<ElemC, 2>* part, unsigned row) {
  const unsigned src_reg[] = {row};
  unsigned dst_reg[${count}];
  $[instruction]
  #pragma unroll
  for (int i = 0; i < ${count}; ++i) part[i].word = dst_reg[i];
}

// specialised/subtile_c.cu (source): where this thread's first accumulator lies in C.
//   needs: type ElemC; const ElemC* c; int first_m, first_n, matrix; long long batch_stride_c
//   needs: int out_m_base(int), out_n_base(int)
//   gives: const ElemC* c_matrix; int c_col, c_row
//   fills: worker = 0
const int c_row = first_m + out_m_base(${worker}), c_col = first_n + out_n_base(${worker});
const ElemC* const c_matrix = c + matrix * batch_stride_c;

// specialised/subtile_c.cu (threads): what a matrix store takes from C; zeros past the edge.
//   needs: type ElemC, Vector<>; const ElemC* c_matrix; int kInElems, kStoreRegisters; int c_col, c_row, first, m, n
//   needs: long long ldc; Vec load_vector<>(const Elem*, int); int out_m(int), out_n(int)
//   gives: ElemC from_c[]
//   fills: place = from_row * ldc + from_col
ElemC from_c[2 * kStoreRegisters];
#pragma unroll
for (int e = 0; e < 2 * kStoreRegisters; e += kInElems) {
  const int from_row = c_row + out_m(first + e), from_col = c_col + out_n(first + e);
  const Vector<ElemC, kInElems> in =
      load_vector<Vector<ElemC, kInElems>>(c_matrix + (${place}), from_row < m ? n - from_col : 0);
  #pragma unroll
  for (int one = 0; one < kInElems; ++one) from_c[e + one] = in.elem[one];
}

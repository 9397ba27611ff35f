// specialised/slab_c.cu (load): a slab of ${what}, as D will lie there.
//   needs: int kBarrierBytes
//   needs: type Place; const TensorMap map_c
//   needs: int kCBytes, kCFullOffset, kSlabBoxInner, kSlabBoxOuter, kSlabBoxes, kSlabBoxesInner, kSlabBytes, kSlabCopies, kTileM, kTileN
//   needs: int group, slab_m_group, slab_n_group; unsigned group_slab, shared; int slab_box(int), slab_m(int), slab_n(int)
//   needs: void expect_bytes(unsigned, int), load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   gives: int c_turns; unsigned c_full; void load_c(int, const Place&)
//   fills: what = C; inner = col; outer = row; matrix = 0
const unsigned c_full = shared + kCFullOffset + kBarrierBytes * kSlabCopies * group;
int c_turns = 0;
const auto load_c = [&](int turn, const Place& at) {
  const unsigned slab_full = c_full + kBarrierBytes * (turn % kSlabCopies), slab = group_slab + turn % kSlabCopies * kSlabBytes;
  const int row = at.tile_m * kTileM + slab_m_group + slab_m(turn), col = at.tile_n * kTileN + slab_n_group + slab_n(turn);
  expect_bytes(slab_full, kCBytes);
  #pragma unroll
  for (int box = 0; box < kSlabBoxes; ++box)
    load_box(slab + slab_box(box), map_c, ${inner} + box % kSlabBoxesInner * kSlabBoxInner,
             ${outer} + box / kSlabBoxesInner * kSlabBoxOuter, ${matrix}, slab_full);
};

// specialised/slab_c.cu (ahead): ${what} for the first slabs is on its way while the tile is multiplied.
//   needs: ${factor}Place at; int kSlabCopies, kStages; int in_group, k_tile, k_tiles
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: lands = beta != 0 &&; what = C; factor = Compute beta;
if (k_tile == min(kStages, k_tiles - 1) && ${lands}in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = 0; turn < kSlabCopies; ++turn) load_c(turn, at);
}

// specialised/slab_c.cu (now): ${what} comes for all slabs at once.
//   needs: ${factor}Place at; int kSlabCopies; int in_group, k_tiles
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: when = k_tiles == 0 &&; lands = beta != 0 &&; what = C; factor = Compute beta;; first = 0; end = kSlabCopies
if (${when}${lands}in_group == 0) {
  wait_stores_read<0>();
  #pragma unroll
  for (int turn = ${first}; turn < ${end}; ++turn) load_c(turn, at);
}

// specialised/slab_c.cu (next): ${what} for the turn that this slab serves next.
//   needs: ${factor}Place at; int kSlabCopies, kSlabTurns; int in_group, turn
//   needs: void load_c(int, const Place&), wait_stores_read<>()
//   fills: lands = beta != 0 &&; what = C; factor = Compute beta;; end = kSlabTurns
if (turn + kSlabCopies < ${end} && ${lands}in_group == 0) {
  wait_stores_read<0>();
  load_c(turn + kSlabCopies, at);
}

// specialised/slab_c.cu (read): ${what} of a turn where D will lie, in the order of the accumulators: all loads are on their
// way before the first store takes the place of what was loaded.
//   needs: type ElemC, Vector<>; int kBarrierBytes, kSlabCopies, kSlabStores, kStoreRegisters; int c_turns, slab_thread, turn
//   needs: unsigned c_full, slab; int slab_row(int, int); void load_matrix(Vector<ElemC, 2>*, unsigned), wait_for(unsigned, int)
//   fills: what = C
wait_for(c_full + kBarrierBytes * (turn % kSlabCopies), c_turns++ / kSlabCopies % 2);
Vector<ElemC, 2> from_c[kSlabStores][kStoreRegisters];
#pragma unroll
for (int i = 0; i < kSlabStores; ++i) load_matrix(from_c[i], slab_row(slab + slab_thread, i));

// specialised/slab_c.cu (matrix): ${atom}; rows of 16 bytes, `row` is the lane's own.
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

// specialised/slab_c.cu (source): where this thread's first accumulator lies in C.
//   needs: type ElemC; const ElemC* c; int kTileM, kTileN; int matrix, tile_m, tile_n; long long batch_stride_c
//   needs: int out_m_base(int), out_n_base(int)
//   gives: const ElemC* c_matrix; int c_col, c_row
//   fills: worker = 0
const int c_row = tile_m * kTileM + out_m_base(${worker}), c_col = tile_n * kTileN + out_n_base(${worker});
const ElemC* const c_matrix = c + matrix * batch_stride_c;

// specialised/slab_c.cu (threads): what a matrix store takes from C; zeros past the edge.
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

// epilogue/direct.cu: every thread stores what becomes of the accumulators that it holds. What kInFlight stores take it asks for
// together: C may lie where D does, so no compiler asks ahead of a store.
//   needs: type ElemD, Vector<>; int kAccumulators, kInFlight, kOutElems; int first_m, first_n
//   needs: int out_m(int), out_m_base(int), out_n(int), out_n_base(int)
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: int col, e, first, i, out_col, out_row, row, turn
//   fills: worker = 0; drained = int first = 0;; first < kAccumulators; epilogue = ElemD{}
const int out_row = first_m + out_m_base(${worker}), out_col = first_n + out_n_base(${worker});
$[sources]
#pragma unroll
for (${drained}; first += kInFlight * kOutElems) {
  $[operands]
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
    $[edge]
    Vector<ElemD, kOutElems> result;
    #pragma unroll
    for (int e = 0; e < kOutElems; ++e) result.elem[e] = ${epilogue};
    $[store]
    $[write_outputs]
  }
}

// epilogue/direct.cu (first group): groups of threads that had other parts of K leave their sums in shared memory; the
// first one adds them, in the order of the groups, and drains the tile.
//   needs: type Accum, Vector<>; FragmentC acc; int kAccumulators, kDrainThreads, kPartsOfK, kSumElems; int thread
//   needs: unsigned char* smem
typedef Vector<Accum, kSumElems> Sums;
Sums* const sums_of_thread = reinterpret_cast<Sums*>(smem) + thread % kDrainThreads;
constexpr int kSums = kAccumulators / kSumElems;
if (thread >= kDrainThreads) {
  #pragma unroll
  for (int i = 0; i < kSums; ++i) {
    Sums mine;
    #pragma unroll
    for (int e = 0; e < kSumElems; ++e) mine.elem[e] = acc.elem[kSumElems * i + e];
    sums_of_thread[((thread / kDrainThreads - 1) * kSums + i) * kDrainThreads].word = mine.word;
  }
}
__syncthreads();
if (thread < kDrainThreads) {
  #pragma unroll
  for (int other = 0; other < kPartsOfK - 1; ++other) {
    #pragma unroll
    for (int i = 0; i < kSums; ++i) {
      Sums theirs;
      theirs.word = sums_of_thread[(other * kSums + i) * kDrainThreads].word;
      #pragma unroll
      for (int e = 0; e < kSumElems; ++e) acc.elem[kSumElems * i + e] += theirs.elem[e];
    }
  }
  $[drain]
}

// epilogue/direct.cu (first lane): lanes that had other parts of K add what they have, two by two in a fixed order; the first
// of them drains.
//   needs: type Accum; FragmentC acc; int kAccumulators, kLanesOfK; int thread
#pragma unroll
for (int lane = 1; lane < 32; lane *= 2) {
  if ((kLanesOfK & lane) == 0) continue;
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i) acc.elem[i] += __shfl_xor_sync(0xffffffff, acc.elem[i], lane);
}
if ((thread & kLanesOfK) == 0) {
  $[drain]
}

// epilogue/direct.cu (by table): a vector goes to the row of D that a table names, and nowhere where it names none.
//   needs: type ElemD, IndexD, Vector<>; const IndexD* rows_d; ElemD* d; unsigned* fault; int kOutElems
//   needs: int col, matrix, out_col, out_row, row; long long batch_stride_d, ldd; int row_of_d(const IndexD*, int, unsigned*)
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   fills: vector = Vector<ElemD, kOutElems>(); valid = 4
if (const int to = row_of_d(rows_d, out_row + row, fault); to >= 0)
  put_vector(d + (matrix * batch_stride_d + to * ldd + out_col + col), ${vector}, ${valid});

// epilogue/direct.cu (added by table): a vector is added to the row of D that a table names, in no order; to nothing where it
// names none.
//   needs: type IndexD; const IndexD* rows_d; unsigned* fault; int kOutElems; int out_row, row
//   needs: int row_of_d(const IndexD*, int, unsigned*)
//   fills: sums = static_cast<float*>(nullptr) + to; value = 0.0f; valid = 4
if (const int to = row_of_d(rows_d, out_row + row, fault); to >= 0) {
  auto* const sums = ${sums};
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e)
    if (e < ${valid}) atomicAdd(sums + e, ${value});
}

// epilogue/staged_rows.cu: accumulators pass through shared memory, where the stages were, so that
// the block reads C and writes D in whole rows.
//   needs: type Accum, ElemD, Vector<>; ElemD* d; FragmentC acc
//   needs: int kAccumulators, kInFlight, kOutElems, kRowElems, kStageElems, kStageReadElems
//   needs: int first_m, first_n, matrix, thread; long long batch_stride_d, ldd; unsigned char* smem
//   needs: int out_acc(int), row_m(int), row_m_base(int), row_n(int), row_n_base(int), row_read(int, int)
//   needs: int row_read_base(int), row_write(int, int), row_write_base(int); unsigned shared_address(const void*)
//   needs: void read_vector<>(Elem*, const unsigned char*), stage_put<>(unsigned, unsigned)
//   gives: ElemD* d_thread; int col, e, first, i, out_col, out_row, row, stage_read, turn
//   fills: epilogue = ElemD{}; edge = const bool whole = true;; if_whole = if (whole)
const unsigned stage_write = shared_address(smem) + row_write_base(thread);
#pragma unroll
for (int i = 0; i < kAccumulators; i += kStageElems) {
  Vector<Accum, kStageElems> written;
  #pragma unroll
  for (int e = 0; e < kStageElems; ++e) written.elem[e] = acc.elem[out_acc(i + e)];
  stage_put(row_write(stage_write, i), written.word);
}
__syncthreads();
const int stage_read = row_read_base(thread);
const int out_row = first_m + row_m_base(thread), out_col = first_n + row_n_base(thread);
ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
$[c_source]
// kInFlight vectors at a time, which hide each other's latency.
#pragma unroll 1
for (int first = 0; first < kRowElems; first += kInFlight * kOutElems) {
  $[load_c]
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
    $[edge]
    Accum sum[kOutElems];
    #pragma unroll
    for (int e = 0; e < kOutElems; e += kStageReadElems)
      read_vector<kStageReadElems>(sum + e, smem + row_read(stage_read, i + e));
    Vector<ElemD, kOutElems> result;
    #pragma unroll
    for (int e = 0; e < kOutElems; ++e) result.elem[e] = ${epilogue};
    ${if_whole}*reinterpret_cast<decltype(result.word)*>(d_thread + row * ldd + col) = result.word;
    $[write_outputs]
  }
}
$[ragged]

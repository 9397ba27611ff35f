// epilogue/staged_rows.cu: accumulators pass through shared memory, where the stages were, so that
// the block reads C and writes D in whole rows.
//   needs: acc, tile_m, tile_n, matrix   gives: D = alpha * acc + beta * C
const int stage_write = row_write_base(thread), stage_read = row_read_base(thread);
#pragma unroll
for (int i = 0; i < kAccumulators; i += kStageElems) {
  Accum part[kStageElems];
  #pragma unroll
  for (int e = 0; e < kStageElems; ++e) part[e] = acc.elem[out_acc(i + e)];
  store_vector<kStageElems>(smem + row_write(stage_write, i), part);
}
__syncthreads();
const int out_row = tile_m * kTileM + row_m_base(thread), out_col = tile_n * kTileN + row_n_base(thread);
ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
$[c_source]
const auto store_row = [&](int i, int valid) {
  const int row = row_m(i), col = row_n(i);
  Accum sum[kOutElems];
  #pragma unroll
  for (int e = 0; e < kOutElems; e += kStageReadElems)
    read_vector<kStageReadElems>(sum + e, smem + row_read(stage_read, i + e));
  Compute value[kOutElems];
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e) value[e] = ${scaled};
  $[add_c]
  Vector<ElemD, kOutElems> result;
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e) from_compute(value[e], &result.elem[e]);
  put_vector(d_thread + row * ldd + col, result, valid);
};
// Most blocks lie inside D and read no C: several rows in flight hide the latency. The others take
// row after row, which keeps the kernel short.
const bool inside = (kWholeTilesM || tile_m * kTileM <= m - kTileM) && (kWholeTilesN || tile_n * kTileN <= n - kTileN);
if (${inside}) {
  #pragma unroll 4
  for (int i = 0; i < kRowElems; i += kOutElems) store_row(i, kOutElems);
} else {
  #pragma unroll 1
  for (int i = 0; i < kRowElems; i += kOutElems) {
    const int in_row = kWholeTilesN ? kOutElems : n - out_col - row_n(i);
    store_row(i, kWholeTilesM || out_row + row_m(i) < m ? in_row : 0);
  }
}

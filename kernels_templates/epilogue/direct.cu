// epilogue/direct.cu: every thread stores what becomes of the accumulators that it holds.
//   needs: type ElemD, Vector<>; ElemD* d; int kAccumulators, kOutElems, kTileM, kTileN; int matrix, tile_m, tile_n
//   needs: long long batch_stride_d, ldd; int out_m(int), out_m_base(int), out_n(int), out_n_base(int)
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: ElemD* d_thread; int col, e, i, out_col, out_row, row
//   fills: worker = 0; first = 0; end = kAccumulators; epilogue = ElemD{}; stored = kOutElems
const int out_row = tile_m * kTileM + out_m_base(${worker}), out_col = tile_n * kTileN + out_n_base(${worker});
ElemD* const d_thread = d + matrix * batch_stride_d + static_cast<long long>(out_row) * ldd + out_col;
$[c_source]
#pragma unroll
for (int i = ${first}; i < ${end}; i += kOutElems) {
  const int row = out_m(i), col = out_n(i);
  $[operands]
  Vector<ElemD, kOutElems> result;
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e) result.elem[e] = ${epilogue};
  put_vector(d_thread + row * ldd + col, result, ${stored});
  $[write_outputs]
}

// specialised/slab_c_source.cu: where this thread's first accumulator lies in C.
//   needs: type ElemC; const ElemC* c; int kTileM, kTileN; int matrix, tile_m, tile_n; long long batch_stride_c
//   needs: int out_m_base(int), out_n_base(int)
//   gives: const ElemC* c_matrix; int c_col, c_row
//   fills: worker = 0
const int c_row = tile_m * kTileM + out_m_base(${worker}), c_col = tile_n * kTileN + out_n_base(${worker});
const ElemC* const c_matrix = c + matrix * batch_stride_c;

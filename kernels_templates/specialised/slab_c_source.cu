// specialised/slab_c_source.cu: where this thread's first accumulator lies in C.
const int c_row = tile_m * kTileM + out_m_base(${worker}), c_col = tile_n * kTileN + out_n_base(${worker});
const ElemC* const c_matrix = c + matrix * batch_stride_c;

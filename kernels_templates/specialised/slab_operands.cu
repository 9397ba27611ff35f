// specialised/slab_operands.cu: where this thread's first element lies in the epilogue's own operands.
//   needs: int kTileM, kTileN; int tile_m, tile_n, worker; int out_m_base(int), out_n_base(int)
//   gives: int in_col, in_row
const int in_row = tile_m * kTileM + out_m_base(worker), in_col = tile_n * kTileN + out_n_base(worker);
$[sources]

// epilogue/ragged_rows.cu: the vector of each row that N cuts in two, one element after another.
//   needs: type Accum; ElemD* d_thread; int kOutElems, kRowElems, kTileN; int first_n, m, n, out_col, out_row, stage_read
//   needs: long long ldd; unsigned char* smem; int row_m(int), row_n(int), row_read(int, int)
//   fills: epilogue = ElemD{}
if (first_n > n - kTileN) {
  #pragma unroll 1
  for (int i = 0; i < kRowElems; ++i) {
    const int row = row_m(i), col = row_n(i), vector_col = out_col + row_n(i - i % kOutElems);
    if (out_row + row < m && out_col + col < n && vector_col > n - kOutElems) {
      const Accum sum = *reinterpret_cast<const Accum*>(smem + row_read(stage_read, i));
      d_thread[row * ldd + col] = ${epilogue};
    }
  }
}

// epilogue/whole_vector.cu: whether a vector lies inside D.
//   needs: bool kWholeTilesM, kWholeTilesN; int kOutElems; int col, m, n, out_col, out_row, row
//   gives: bool whole
const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);

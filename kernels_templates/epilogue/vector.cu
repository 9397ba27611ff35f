// epilogue/vector.cu (whole): whether a vector lies inside D.
//   needs: bool kWholeTilesM, kWholeTilesN; int kOutElems; int col, m, n, out_col, out_row, row
//   gives: bool whole
const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);

// epilogue/vector.cu (cut): how much of a vector lies inside D.
//   needs: bool kWholeTilesM; int col, m, n, out_col, out_row, row
//   gives: int valid
const int valid = kWholeTilesM || out_row + row < m ? n - out_col - col : 0;

// epilogue/cut_vector.cu: how much of a vector lies inside D.
//   needs: bool kWholeTilesM; int col, m, n, out_col, out_row, row
//   gives: int valid
const int valid = kWholeTilesM || out_row + row < m ? n - out_col - col : 0;

// epilogue/vector.cu (whole): whether a vector lies inside D.
//   needs: bool kWholeTilesM, kWholeTilesN; int kOutElems; int col, m, n, out_col, out_row, row
//   gives: bool whole
const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);

// epilogue/vector.cu (row): whether a vector's row lies inside D. How much of it does is said where it counts: a number for
// both would be kept for every column until the last row.
//   needs: bool kWholeTilesM; int m, out_row, row
//   gives: bool in_row
const bool in_row = kWholeTilesM || out_row + row < m;

// epilogue/vector.cu (whole tile): in a tile that lies inside D every element counts.
//   needs: bool kWholeTilesM, kWholeTilesN; int kTileM, kTileN; int first_m, first_n, m, n
if ((kWholeTilesM || first_m + kTileM <= m) && (kWholeTilesN || first_n + kTileN <= n)) {
  $[inside]
} else {
  $[any]
}

// epilogue/vector.cu (whole): whether a vector lies inside D.
//   needs: bool kWholeTilesM, kWholeTilesN; int kOutElems; int col, m, n, out_col, out_row, row
//   gives: bool whole
const bool whole = (kWholeTilesM || out_row + row < m) && (kWholeTilesN || out_col + col <= n - kOutElems);

// epilogue/vector.cu (cut): how much of a vector lies inside D.
//   needs: bool kWholeTilesM; int col, m, n, out_col, out_row, row
//   gives: int there, valid
int there = kWholeTilesM || out_row + row < m ? n - out_col : 0;
asm volatile("" : "+r"(there));  // else the compiler keeps a number for every column
const int valid = there - col;

// epilogue/vector.cu (whole tile): in a tile that lies inside D every element counts.
//   needs: bool kWholeTilesM, kWholeTilesN; int kTileM, kTileN; int m, n, tile_m, tile_n
if ((kWholeTilesM || (tile_m + 1) * kTileM <= m) && (kWholeTilesN || (tile_n + 1) * kTileN <= n)) {
  $[inside]
} else {
  $[any]
}

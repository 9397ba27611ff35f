// epilogue/vector.cu (whole): whether a vector lies inside D.
//   needs: int kOutElems; int col, m, n, out_col, out_row, row
//   gives: bool whole
//   fills: inside = out_row + row < m
const bool whole = ${inside};

// epilogue/vector.cu (outside): what does not begin inside D is nobody's. Where N may cut a vector, how much of it lies inside is
// said where it counts: a number for both would be kept for every column until the last row.
//   needs: int kOutElems; int col, m, n, out_col, out_row, row
//   fills: outside = out_row + row >= m
if (${outside}) continue;

// epilogue/vector.cu (whole tile): in a tile that lies inside D every element counts.
//   needs: int kTileM, kTileN; int first_m, first_n, m, n
//   fills: inside = first_m + kTileM <= m
if (${inside}) {
  $[inside_d]
} else {
  $[any]
}

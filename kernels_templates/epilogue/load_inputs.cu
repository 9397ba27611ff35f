// epilogue/load_inputs.cu: what the next vectors of D take from the epilogue's inputs.
//   needs: int kInFlight, kOutElems; int first; int row_m(int), row_n(int)
//   fills: edge = const bool whole = true;
#pragma unroll
for (int turn = 0; turn < kInFlight; ++turn) {
  const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
  $[edge]
  $[reads]
}

// epilogue/load_c_col.cu: elements of C, contiguous along M; zeros past the edge; beta = 0 never reads C.
ElemC from_c[kInFlight][kOutElems];
if (beta != 0) {
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
    $[edge]
    #pragma unroll
    for (int e = 0; e < kOutElems; ++e) from_c[turn][e] = whole ? c_thread[(col + e) * ldc + row] : ElemC{};
  }
}

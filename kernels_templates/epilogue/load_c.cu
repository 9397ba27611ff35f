// epilogue/load_c.cu: what the next vectors of D take from C; zeros past the edge; beta = 0 never reads C.
//   needs: type ElemC, Vector<>; Compute beta; const ElemC* c_thread; int kInElems, kInFlight, kOutElems; int first
//   needs: long long ldc; int row_m(int), row_n(int)
//   gives: int col, i, row
//   fills: place = row * ldc + col + e; edge = const bool whole = true;
ElemC from_c[kInFlight][kOutElems];
if (beta != 0) {
  #pragma unroll
  for (int turn = 0; turn < kInFlight; ++turn) {
    const int i = first + turn * kOutElems, row = row_m(i), col = row_n(i);
    $[edge]
    #pragma unroll
    for (int e = 0; e < kOutElems; e += kInElems) {
      Vector<ElemC, kInElems> in = {};
      if (whole) in.word = *reinterpret_cast<const decltype(in.word)*>(c_thread + (${place}));
      #pragma unroll
      for (int one = 0; one < kInElems; ++one) from_c[turn][e + one] = in.elem[one];
    }
  }
}

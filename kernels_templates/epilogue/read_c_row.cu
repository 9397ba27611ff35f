// epilogue/read_c_row.cu: what a vector of D takes from C, contiguous along N; beta = 0 never reads C.
//   needs: type ElemC, Vector<>; Compute beta; const ElemC* c_thread; int kInElems, kOutElems; int col, row; long long ldc
//   needs: Vec load_vector<>(const Elem*, int)
//   gives: ElemC from_c[]
//   fills: left = kInElems
ElemC from_c[kOutElems];
if (beta != 0) {
  #pragma unroll
  for (int first = 0; first < kOutElems; first += kInElems) {
    const Vector<ElemC, kInElems> in =
        load_vector<Vector<ElemC, kInElems>>(c_thread + (row * ldc + col + first), ${left});
    #pragma unroll
    for (int e = 0; e < kInElems; ++e) from_c[first + e] = in.elem[e];
  }
}

// epilogue/read_c_col.cu: what a vector of D takes from C, contiguous along M; beta = 0 never reads C.
//   needs: type ElemC; Compute beta; const ElemC* c_thread; int kOutElems; int col, row; long long ldc
//   gives: ElemC from_c[]
//   fills: left = kOutElems
ElemC from_c[kOutElems];
if (beta != 0) {
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e) from_c[e] = e < ${left} ? c_thread[(col + e) * ldc + row] : ElemC{};
}

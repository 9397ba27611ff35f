// epilogue/add_c_col.cu: beta * C, C contiguous along M; beta = 0 never reads C.
if (beta != 0) {
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e)
    if (e < ${left}) {
      const ElemC in = c_thread[(col + e) * ldc + row];
      value[e] = ${multiply_add};
    }
}

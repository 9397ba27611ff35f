// specialised/load_matrix.cu: ${atom}; rows of 16 bytes, `row` is the lane's own.
//   needs: type ElemC, Vector<>
//   gives: void load_matrix(Vector<ElemC, 2>*, unsigned)
//   fills: atom = SM75_U32x4_LDSM_N; count = 4
__device__ __forceinline__ void load_matrix(Vector<ElemC, 2>* part, unsigned row) {
  const unsigned src_reg[] = {row};
  unsigned dst_reg[${count}];
  $[instruction]
  #pragma unroll
  for (int i = 0; i < ${count}; ++i) part[i].word = dst_reg[i];
}

// specialised/store_matrix.cu: ${atom}; rows of 16 bytes, `row` is the lane's own.
//   gives: void store_matrix(unsigned, const unsigned*)
//   fills: atom = SM90_U32x4_STSM_N
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  $[instruction]
}

// specialised/store_matrix.cu: ${atom}; rows of 16 bytes, `row` is the lane's own.
__device__ __forceinline__ void store_matrix(unsigned row, const unsigned* src_reg) {
  const unsigned dst_reg[] = {row};
  $[instruction]
}

// fragment/ldmatrix.cu: ${atom}; ${count} registers of a fragment of ${X}, `row` is the lane's own.
//   gives: void ldmatrix_${x}(unsigned*, unsigned)
//   fills: atom = SM75_U32x1_LDSM_N; count = 1
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  $[instruction]
}

// fragment/ldmatrix.cu: ${atom}; ${count} registers of a fragment of ${X}, `row` is the lane's own.
//   gives: void ldmatrix_${x}(unsigned*, unsigned)
//   fills: atom = SM75_U32x1_LDSM_N; ptx = ldmatrix.sync.aligned.x1.m8n8.shared.b16; count = 1; arguments = {%0}, [%1]; outputs = "=r"(reg[0]); inputs = "r"(row)
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  asm volatile("${ptx} ${arguments};"
               : ${outputs}
               : ${inputs}
               : "memory");
}

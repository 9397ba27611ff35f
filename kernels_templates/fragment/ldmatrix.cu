// fragment/ldmatrix.cu: ${atom}; ${count} registers of a fragment of ${X}, `row` is the lane's own.
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  asm volatile("${ptx} ${arguments};"
               : ${outputs}
               : ${inputs}
               : "memory");
}

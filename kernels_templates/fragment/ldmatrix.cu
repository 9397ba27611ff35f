// fragment/ldmatrix.cu: ${atom}.
__device__ __forceinline__ void ldmatrix_${x}(unsigned* reg, unsigned row) {
  asm volatile("${ptx} {${places}}, [%${count}];" : ${outputs} : "r"(row) : "memory");
}

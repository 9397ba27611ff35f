// instruction/tma_store.cu: ${atom}; a box of shared memory, on its way to where the map says.
__device__ __forceinline__ void copy(const TensorMap& map, int inner, int outer, unsigned src) {
  asm volatile("${ptx} [%0, {%1, %2}], [%3];"
               ::"l"(&map), "r"(inner), "r"(outer), "r"(src) : "memory");
}

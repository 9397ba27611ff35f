// instruction/tma_load.cu: ${atom}; a box of the map, on its way to shared memory.
__device__ __forceinline__ void copy(unsigned dst, const TensorMap& map, int inner, int outer, unsigned barrier${blocks}) {
  asm volatile("${ptx} [%0], [%1, {%2, %3}], [%4]${mask};"
               ::"r"(dst), "l"(&map), "r"(inner), "r"(outer), "r"(barrier)${mask_input} : "memory");
}

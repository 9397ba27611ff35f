// mma/mma_sync.cu: ${atom}; c += a * b for the tile of one warp.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  asm("${ptx} "
      "${arguments};"
      : ${outputs}
      : ${inputs});
}

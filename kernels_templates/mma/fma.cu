// mma/fma.cu: ${atom}, one multiply-add in one thread.
__device__ __forceinline__ void mma(Accum* c, const ElemA* a, const ElemB* b) {
  c[0] = ${multiply_add};
}

// mma/fma.cu: ${atom}, one multiply-add in one thread.
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  c[0] = ${multiply_add};
}

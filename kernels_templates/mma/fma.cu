// mma/fma.cu: ${atom}, one multiply-add in one thread.
//   needs: type RegisterA, RegisterB, RegisterC
//   gives: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   fills: atom = UniversalFMA<float>; multiply_add = c[0]
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  c[0] = ${multiply_add};
}

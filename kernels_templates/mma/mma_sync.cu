// mma/mma_sync.cu: ${atom}; c += a * b for the tile of one warp.
//   needs: type RegisterA, RegisterB, RegisterC
//   gives: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   fills: atom = SM80_16x8x4_F32TF32TF32F32_TN; ptx = mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32; arguments = {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3}; outputs = "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]); inputs = "r"(a[0]), "r"(a[1]), "r"(b[0])
__device__ __forceinline__ void mma(RegisterC* c, const RegisterA* a, const RegisterB* b) {
  asm("${ptx} "
      "${arguments};"
      : ${outputs}
      : ${inputs});
}

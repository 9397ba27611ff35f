// mma/wgmma.cu: ${atom}; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say. What begins anew is said by -1: of a 0 compilers would make the
// register of an accumulator that is 0, and so read it behind the fence.
//   needs: type RegisterC
//   gives: void mma(RegisterC*, unsigned long long, unsigned long long, int)
//   fills: atom = SM90_64x8x16_F32F16F16_SS
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds ? 1 : -1};
  $[instruction]
}

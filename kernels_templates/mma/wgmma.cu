// mma/wgmma.cu: ${atom}; c = a * b, or c += a * b, for the tile of a group of four warps. The
// matrices lie in shared memory, where their descriptors say.
__device__ __forceinline__ void mma(RegisterC* d_reg, unsigned long long a, unsigned long long b, int adds) {
  const unsigned long long a_reg[] = {a}, b_reg[] = {b};
  const int scale_d_reg[] = {adds};
  $[instruction]
}

// epilogue/gather.cu: what many elements come to; of elements one of which is no number, no number is the largest.
//   gives: type Amax, Sum; Number over_lanes<>(Number, Combine); bool ends_matrix(unsigned*, unsigned, unsigned); int thread_again()
struct Sum {
  __device__ __forceinline__ float operator()(float x, float y) const { return __fadd_rn(x, y); }
  __device__ __forceinline__ double operator()(double x, double y) const { return __dadd_rn(x, y); }
  __device__ __forceinline__ int operator()(int x, int y) const { return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }
};
struct Amax {
  template <class Number>
  __device__ __forceinline__ Number operator()(Number most, Number x) const {
    const Number size = x < 0 ? -x : x;
    return most != most || size <= most ? most : size;
  }
};
// Together with the lanes whose numbers differ in some bits of kLanes and in no others.
template <int kLanes, class Number, class Combine>
__device__ __forceinline__ Number over_lanes(Number x, Combine combine) {
  #pragma unroll
  for (int lane = 16; lane > 0; lane /= 2)
    if ((kLanes & lane) != 0) x = combine(x, __shfl_xor_sync(0xffffffff, x, lane));
  return x;
}
// Adds `tiles` to those of a matrix that are done. True for whoever makes them `all`, who sees what was
// written before; the counter is 0 again.
__device__ __forceinline__ bool ends_matrix(unsigned* done, unsigned tiles, unsigned all) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(done), "r"(tiles) : "memory");
  if (before + tiles != all) return false;
  *done = 0;
  return true;
}
// The number of this thread, read anew: kept in a register through the main loop it makes others spill.
__device__ __forceinline__ int thread_again() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

// Every block counts the values of its piece in shared memory; the copy engine adds the block's
// counts to the grid's, 64 words at a time.
constexpr int kBins = 64;

extern "C" __global__ void __launch_bounds__(128) bulk_reduce(const u32* in, u32* counts, int each) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 bins = shared_address(smem);
  if (threadIdx.x < kBins) store_shared(bins + threadIdx.x * 4, 0);
  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < each; i += 128) {
    const u32 bin = in[blockIdx.x * each + i] % kBins;
    asm volatile("red.shared.add.u32 [%0], 1;" ::"r"(bins + bin * 4) : "memory");
  }
  show_to_engines();
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;"
                 ::"l"(counts), "r"(bins), "r"(kBins * 4) : "memory");
    commit_stores();
    wait_stores<0>();
  }
}

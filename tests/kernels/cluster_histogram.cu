// A histogram of 256 bins spread over the shared memory of two blocks: a thread adds to the bin
// where it lies, in its own block or in the neighbour's.
constexpr int kBlocks = 2, kBins = 256, kEach = kBins / kBlocks, kThreads = 64;

extern "C" __global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kThreads)
cluster_histogram(const u8* in, u32* counts, int values) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 bins = shared_address(smem), rank = block_rank();
#pragma unroll 1
  for (int i = threadIdx.x; i < kEach; i += kThreads) store_shared(bins + i * 4, 0);
  cluster_sync();  // all bins are zero before anyone adds
#pragma unroll 1
  for (int i = rank * kThreads + threadIdx.x; i < values; i += kBlocks * kThreads) {
    const u32 value = in[i];
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;"
                 ::"r"(map_to_rank(bins + value % kEach * 4, value / kEach)) : "memory");
  }
  cluster_sync();  // all have added before anyone reads, and nobody leaves before
#pragma unroll 1
  for (int i = threadIdx.x; i < kEach; i += kThreads) counts[rank * kEach + i] = load_shared(bins + i * 4);
}

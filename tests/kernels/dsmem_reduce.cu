// Four blocks of a cluster each sum a quarter of a row of data for 128 columns; then block r reads
// the neighbours' partial sums of columns 32r to 32r+31 straight out of their shared memory. No
// block may leave before its neighbours have read it: the second cluster barrier.
constexpr int kBlocks = 4, kColumns = 128;

extern "C" __global__ void __launch_bounds__(kColumns)
dsmem_reduce(const u32* in, u32* out, int rows) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 partial = shared_address(smem), rank = block_rank();
  const int cluster = blockIdx.x / kBlocks;
  in += (u64)cluster * rows * kColumns;
  u32 sum = 0;
#pragma unroll 1
  for (int row = rank; row < rows; row += kBlocks) sum += in[row * kColumns + threadIdx.x];
  store_shared(partial + threadIdx.x * 4, sum);
  cluster_sync();  // release: the sums are stored; acquire: the neighbours' are seen

  if (threadIdx.x < kColumns / kBlocks) {
    const int column = rank * (kColumns / kBlocks) + threadIdx.x;
    u32 total = 0;
#pragma unroll 1
    for (u32 peer = 0; peer < kBlocks; ++peer) {
      u32 value;
      asm volatile("ld.shared::cluster.b32 %0, [%1];"
                   : "=r"(value) : "r"(map_to_rank(partial + column * 4, peer)) : "memory");
      total += value;
    }
    out[cluster * kColumns + column] = total;
  }
  cluster_sync();
}

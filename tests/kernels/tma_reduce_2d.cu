// Blocks add tiles into one matrix: the copy engine adds in memory, so that no block needs to know
// of another. A second engine operation takes the maximum into a second matrix from the same subtile.
constexpr int kTile = 16, kBytes = kTile * kTile * 4;

extern "C" __global__ void __launch_bounds__(64)
tma_reduce_2d(const __grid_constant__ TensorMap sum, const __grid_constant__ TensorMap most) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 subtile = shared_address(smem);
  const int x = blockIdx.x * kTile / 2;  // tiles overlap by half
#pragma unroll 1
  for (int round = 0; round < 3; ++round) {
#pragma unroll 1
    for (int i = threadIdx.x; i < kTile * kTile; i += 64)
      store_shared(subtile + i * 4, (i * 7 + blockIdx.x * 13 + round * 31) % 101);
    show_to_engines();
    __syncthreads();
    if (threadIdx.x == 0) {
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];"
                   ::"l"(&sum), "r"(x), "r"(0), "r"(subtile) : "memory");
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.bulk_group [%0, {%1, %2}], [%3];"
                   ::"l"(&most), "r"(x), "r"(0), "r"(subtile) : "memory");
      commit_stores();
      wait_stores_read<0>();  // before the subtile is written again
    }
    __syncthreads();
  }
}

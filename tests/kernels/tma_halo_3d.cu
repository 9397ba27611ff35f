// Sums 3 x 3 x 3 neighbourhoods of a volume. One box brings a block's 8 x 4 x 2 points with a margin
// around them. Its corner may have negative coordinates: what is outside arrives as zero, so the
// border needs no case of its own. (The innermost start stays a multiple of 16 bytes: a margin of 4.)
constexpr int kX = 16, kY = 6, kZ = 4, kBytes = kX * kY * kZ * 4;

extern "C" __global__ void __launch_bounds__(64)
tma_halo_3d(const __grid_constant__ TensorMap volume, u32* sums, int width, int height, int depth) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 box = shared_address(smem), bar = box + kBytes;
  const int x0 = blockIdx.x * 8, y0 = blockIdx.y * 4, z0 = blockIdx.z * 2;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kBytes);
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                 ::"r"(box), "l"(&volume), "r"(x0 - 4), "r"(y0 - 1), "r"(z0 - 1), "r"(bar) : "memory");
  }
  __syncthreads();
  wait(bar, 0);
  const int x = threadIdx.x % 8, y = threadIdx.x / 8 % 4, z = threadIdx.x / 32;
  u32 sum = 0;
#pragma unroll 1
  for (int dz = 0; dz < 3; ++dz)
#pragma unroll 1
    for (int dy = 0; dy < 3; ++dy)
#pragma unroll 1
      for (int dx = 0; dx < 3; ++dx)
        sum += load_shared(box + (((z + dz) * kY + y + dy) * kX + x + dx + 3) * 4);
  if (x0 + x < width && y0 + y < height && z0 + z < depth)
    sums[((z0 + z) * height + y0 + y) * width + x0 + x] = sum;
}

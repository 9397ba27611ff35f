// The way out of a product: accumulators are rounded to bf16, laid into shared memory by stmatrix
// in the order that a tensor map with a swizzle of 64 bytes expects, and stored by TMA. The block
// does two tiles with two subtiles, so that a store may still be reading while the next subtile fills.
constexpr int kTiles = 3;
constexpr u32 kA = 64 * 128, kB = 32 * 128, kSubtile = 64 * 64;

// The upper half of the word is `high`.
WORD u32 pack_bf16(float high, float low) {
  u32 both;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(high), "f"(low));
  return both;
}
WORD void store_matrices(u32 row, u32 m0, u32 m1, u32 m2, u32 m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               ::"r"(row), "r"(m0), "r"(m1), "r"(m2), "r"(m3) : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
gemm_stmatrix(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
              const __grid_constant__ TensorMap map_d) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 a = shared_address(smem), b = a + kTiles * kA, subtiles = b + kB, bar = subtiles + 2 * kSubtile;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kTiles * kA + kB);
    load_box_2d(b, map_b, 0, 0, bar);
#pragma unroll 1
    for (int t = 0; t < kTiles; ++t) load_box_2d(a + t * kA, map_a, 0, t * 64, bar);
  }
  __syncthreads();
  wait(bar, 0);
  const u32 lane = threadIdx.x % 32;
#pragma unroll 1
  for (int t = 0; t < kTiles; ++t) {
    float d[16];
    fence_products();
    multiply_row(d, a + t * kA, b, true);
    commit_products();
    wait_products<0>();
    hold(d);

    const u32 subtile = subtiles + t % 2 * kSubtile;
    if (threadIdx.x == 0) wait_stores_read<1>();  // the subtile's last store has read it
    __syncthreads();
    // Lanes 8i to 8i+7 give the rows of matrix i: two of eight rows, twice eight columns.
    const u32 row = threadIdx.x / 32 * 16 + lane / 8 % 2 * 8 + lane % 8;
#pragma unroll
    for (u32 half = 0; half < 2; ++half) {
      const u32 column_16 = half * 2 + lane / 16;
      const float* part = d + half * 8;
      store_matrices(subtile + row * 64 + ((column_16 ^ row / 2 % 4) * 16), pack_bf16(part[1], part[0]),
                     pack_bf16(part[3], part[2]), pack_bf16(part[5], part[4]), pack_bf16(part[7], part[6]));
    }
    show_to_engines();
    __syncthreads();
    if (threadIdx.x == 0) {
      store_box_2d(map_d, 0, t * 64, subtile);
      commit_stores();
    }
  }
  if (threadIdx.x == 0) wait_stores_read<0>();
}

// D = C - A * B with A along M and B along N: the descriptors say so by the last two immediates,
// and a scale of -1 negates A. A (64 x 64) lies as 64 rows of K with 128 bytes of M each. B has 32
// columns in two boxes of 16: rows of 32 bytes, and the descriptor's leading offset leads from one
// box to the other.
constexpr int kM = 64, kN = 32, kK = 64;
constexpr u32 kA = kK * kM * 2, kBox = kK * 32;

WORD void multiply(float (&d)[16], u64 a, u64 b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 " SIXTEEN ", %16, %17, 1, -1, 1, 1, 1;"
               : HELD("+f", d) : "l"(a), "l"(b));
}
// Where eight rows of K end the next eight begin; 1 << 62 is the swizzle of 128 bytes, 3 of 32.
WORD u64 descriptor(u32 address, u32 leading, u32 stride, u64 swizzle) {
  return (u64)(address >> 4 & 0x3FFF) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | swizzle << 62;
}

extern "C" __global__ void __launch_bounds__(128)
wgmma_majors(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
             const float* c, float* out) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 a = shared_address(smem), b = a + kA, bar = b + 2 * kBox;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kA + 2 * kBox);
    load_box_2d(a, map_a, 0, 0, bar);
    load_box_2d(b, map_b, 0, 0, bar);
    load_box_2d(b + kBox, map_b, 16, 0, bar);
  }
  __syncthreads();
  wait(bar, 0);

  float d[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) d[i] = c[product_row(i) * kN + product_column(i)];
  fence_products();  // the accumulators were just written
#pragma unroll
  for (int k = 0; k < kK; k += 16)
    multiply(d, descriptor(a + k * 128, 0, 1024, 1), descriptor(b + k * 32, kBox, 256, 3));
  commit_products();
  wait_products<0>();
  hold(d);
#pragma unroll
  for (int i = 0; i < 16; ++i) out[product_row(i) * kN + product_column(i)] = d[i];
}

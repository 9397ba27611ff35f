// D = A * B for one tile of 16 x 8 x 16 by tensor cores. Two warps bring A (16,16) and B (8,16), both with
// K contiguous, into shared memory; the first warp multiplies. docs/tutorial.md writes it step by step.
typedef unsigned short half_bits;

extern "C" __global__ void one_tile(const half_bits* a, const half_bits* b, float* d) {
  __shared__ alignas(16) half_bits tile_a[16 * 16], tile_b[8 * 16];
  for (int i = threadIdx.x; i < 16 * 16; i += blockDim.x) tile_a[i] = a[i];
  for (int i = threadIdx.x; i < 8 * 16; i += blockDim.x) tile_b[i] = b[i];
#ifndef FORGET_THE_BARRIER
  __syncthreads();
#endif
  if (threadIdx.x >= 32) return;

  // composition((16,16):(16,1), layout_a(ATOM)) = ((4,8),(2,2,2)):((2,16),(1,128,8)), and B likewise:
  // thread (i,j) begins at 2*i + 16*j; two values lie side by side, the other pairs 128 and 8 further on.
  const int first = 2 * (threadIdx.x % 4) + 16 * (threadIdx.x / 4);
  const auto pair = [](const half_bits* at) { return *reinterpret_cast<const unsigned*>(at); };
  const unsigned a0 = pair(tile_a + first), a1 = pair(tile_a + first + 128);
  const unsigned a2 = pair(tile_a + first + 8), a3 = pair(tile_a + first + 136);
  const unsigned b0 = pair(tile_b + first), b1 = pair(tile_b + first + 8);

  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
      : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));

  // composition((16,8):(8,1), layout_c(ATOM)) = ((4,8),(2,2)):((2,8),(1,64))
  float* out = d + 2 * (threadIdx.x % 4) + 8 * (threadIdx.x / 4);
  out[0] = c0, out[1] = c1, out[64] = c2, out[65] = c3;
}

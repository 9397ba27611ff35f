// Tiled f32 GEMM: 128x128 tile, float4 loads, 8x8 outputs a thread. A (M,K), B (K,N), C (M,N), rows
// contiguous, extents multiples of the tile. nvcc -ptx -arch=sm_80 --fmad=false
extern "C" __global__ void __launch_bounds__(256) tiled_gemm(const float* __restrict__ a,
                                                             const float* __restrict__ b,
                                                             float* __restrict__ c, int n, int k) {
  __shared__ __align__(16) float tile_a[8][128];
  __shared__ __align__(16) float tile_b[8][128];
  const int row = threadIdx.x / 16 * 8;
  const int column = threadIdx.x % 16 * 8;
  const float* from_a = a + (blockIdx.y * 128 + threadIdx.x / 2) * (long long)k + threadIdx.x % 2 * 4;
  const float* from_b = b + (threadIdx.x / 32) * (long long)n + blockIdx.x * 128 + threadIdx.x % 32 * 4;
  float sum[8][8] = {};
  for (int at = 0; at < k; at += 8) {
    const float4 va = *reinterpret_cast<const float4*>(from_a + at);
    const float4 vb = *reinterpret_cast<const float4*>(from_b + (long long)at * n);
    __syncthreads();
    const int m = threadIdx.x / 2, q = threadIdx.x % 2 * 4;
    tile_a[q + 0][m] = va.x;
    tile_a[q + 1][m] = va.y;
    tile_a[q + 2][m] = va.z;
    tile_a[q + 3][m] = va.w;
    *reinterpret_cast<float4*>(&tile_b[threadIdx.x / 32][threadIdx.x % 32 * 4]) = vb;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float fa[8], fb[8];
#pragma unroll
      for (int j = 0; j < 8; j += 4) {
        *reinterpret_cast<float4*>(fa + j) = *reinterpret_cast<const float4*>(&tile_a[i][row + j]);
        *reinterpret_cast<float4*>(fb + j) = *reinterpret_cast<const float4*>(&tile_b[i][column + j]);
      }
#pragma unroll
      for (int y = 0; y < 8; ++y)
#pragma unroll
        for (int x = 0; x < 8; ++x) sum[y][x] = __fmaf_rn(fa[y], fb[x], sum[y][x]);
    }
  }
#pragma unroll
  for (int y = 0; y < 8; ++y)
#pragma unroll
    for (int x = 0; x < 8; x += 4)
      *reinterpret_cast<float4*>(c + (blockIdx.y * 128 + row + y) * (long long)n + blockIdx.x * 128 +
                                 column + x) =
          make_float4(sum[y][x], sum[y][x + 1], sum[y][x + 2], sum[y][x + 3]);
}

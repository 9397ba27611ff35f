// A GEMM of one warpgroup over three stages: D (64 x 32 a block) = A * B, 64 of K a step. One product
// stays in flight: when step s has been issued, step s-1 is over, and its stage is refilled while s
// multiplies. Lane 0 of each warp says so on `empty`, because each warp waits for itself alone.
constexpr int kStages = 3;
constexpr u32 kA = 64 * 128, kB = 32 * 128, kStage = kA + kB;

extern "C" __global__ void __launch_bounds__(128)
gemm_pipeline(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
              float* out, int steps) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 tiles = shared_address(smem), full = tiles + kStages * kStage, empty = full + kStages * 8;
  const int m = blockIdx.y * 64, n = blockIdx.x * 32;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, 4);
    }
    publish_barriers();
  }
  __syncthreads();
  const auto load = [&](int step) {
    const int s = step % kStages;
    if (step >= kStages) wait(empty + s * 8, (step / kStages - 1) & 1);
    arrive_expecting(full + s * 8, kStage);
    load_box_2d(tiles + s * kStage, map_a, step * 64, m, full + s * 8);
    load_box_2d(tiles + s * kStage + kA, map_b, step * 64, n, full + s * 8);
  };
  if (threadIdx.x == 0)
#pragma unroll 1
    for (int step = 0; step < kStages && step < steps; ++step) load(step);

  float d[16];
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const int s = step % kStages;
    wait(full + s * 8, step / kStages & 1);
    fence_products();
    multiply_row(d, tiles + s * kStage, tiles + s * kStage + kA, step == 0);
    commit_products();
    wait_products<1>();
    if (step == 0) continue;
    const int done = step - 1;
    if (threadIdx.x % 32 == 0) arrive(empty + done % kStages * 8);
    if (threadIdx.x == 0 && done + kStages < steps) load(done + kStages);
  }
  wait_products<0>();
  hold(d);
  const int width = gridDim.x * 32;
#pragma unroll
  for (int i = 0; i < 16; ++i) out[(m + product_row(i)) * width + n + product_column(i)] = d[i];
}

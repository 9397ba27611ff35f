// A persistent GEMM where two warpgroups take turns: each owns whole tiles of 64 x 32, every second
// one of the block's. While one multiplies the other stores, so that stores hide. `turn[g]` is the
// order: group g may begin its main loop when the other has issued its last product.
constexpr int kStages = 3;
constexpr u32 kA = 64 * 128, kB = 32 * 128, kStage = kA + kB;

extern "C" __global__ void __launch_bounds__(384, 1)
gemm_ping_pong(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
               float* out, int tiles_m, int tiles_n, int steps) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 tiles = shared_address(smem), full = tiles + kStages * kStage, empty = full + kStages * 8;
  const u32 turn = empty + kStages * 8;
  const int group = threadIdx.x / 128, count = tiles_m * tiles_n;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, 4);  // one arrival of each warp of the group that used it
    }
#pragma unroll 1
    for (int g = 0; g < 2; ++g) init_barrier(turn + g * 8, 128);
    publish_barriers();
  }
  __syncthreads();

  if (group == 2) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x != 256) return;
    int position = 0;
#pragma unroll 1
    for (int tile = blockIdx.x; tile < count; tile += gridDim.x)
#pragma unroll 1
      for (int step = 0; step < steps; ++step, ++position) {
        const int s = position % kStages;
        wait(empty + s * 8, (position / kStages + 1) & 1);
        arrive_expecting(full + s * 8, kStage);
        load_box_2d(tiles + s * kStage, map_a, step * 64, tile % tiles_m * 64, full + s * 8);
        load_box_2d(tiles + s * kStage + kA, map_b, step * 64, tile / tiles_m * 32, full + s * 8);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
  const int width = tiles_n * 32;
  int position = group * steps;  // the other group's steps lie between its own
  int mine = 0;
#pragma unroll 1
  for (int tile = blockIdx.x + group * gridDim.x; tile < count; tile += 2 * gridDim.x, ++mine) {
    // Group 0 begins without being told; group 1 waits for it, then each for the other.
    wait(turn + group * 8, (mine + (group == 0)) & 1);
    float d[16];
#pragma unroll 1
    for (int step = 0; step < steps; ++step, ++position) {
      const int s = position % kStages;
      wait(full + s * 8, position / kStages & 1);
      fence_products();
      multiply_row(d, tiles + s * kStage, tiles + s * kStage + kA, step == 0);
      commit_products();
      wait_products<0>();
      if (threadIdx.x % 32 == 0) arrive(empty + s * 8);
    }
    arrive(turn + (group ^ 1) * 8);
    position += steps;
    hold(d);
    const int m = tile % tiles_m * 64, n = tile / tiles_m * 32;
#pragma unroll
    for (int i = 0; i < 16; ++i) out[(m + product_row(i)) * width + n + product_column(i)] = d[i];
  }
}

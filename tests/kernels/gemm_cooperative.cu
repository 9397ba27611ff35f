// A persistent GEMM: a block walks over tiles of 128 x 32. One warpgroup loads and gives registers
// away; two multiply, each its 64 rows of the same tile, and take them. The stages run on from tile
// to tile: while the last products of one are stored, the next one's operands are on their way.
constexpr int kStages = 4;
constexpr u32 kA = 128 * 128, kB = 32 * 128, kStage = kA + kB;

extern "C" __global__ void __launch_bounds__(384, 1)
gemm_cooperative(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
                 float* out, int tiles_m, int tiles_n, int steps) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 tiles = shared_address(smem), full = tiles + kStages * kStage, empty = full + kStages * 8;
  const int group = threadIdx.x / 128, count = tiles_m * tiles_n;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, 2);  // one arrival of each multiplying group
    }
    publish_barriers();
  }
  __syncthreads();

  int position = 0;  // counts steps over all tiles of this block: stage and turn follow from it
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x != 0) return;
#pragma unroll 1
    for (int tile = blockIdx.x; tile < count; tile += gridDim.x)
#pragma unroll 1
      for (int step = 0; step < steps; ++step, ++position) {
        const int s = position % kStages, turn = position / kStages;
        wait(empty + s * 8, (turn + 1) & 1);
        arrive_expecting(full + s * 8, kStage);
        load_box_2d(tiles + s * kStage, map_a, step * 64, tile % tiles_m * 128, full + s * 8);
        load_box_2d(tiles + s * kStage + kA, map_b, step * 64, tile / tiles_m * 32, full + s * 8);
      }
    return;
  }
  asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
  const int half = group - 1, width = tiles_n * 32;
#pragma unroll 1
  for (int tile = blockIdx.x; tile < count; tile += gridDim.x) {
    float d[16];
#pragma unroll 1
    for (int step = 0; step < steps; ++step, ++position) {
      const int s = position % kStages;
      wait(full + s * 8, position / kStages & 1);
      fence_products();
      multiply_row(d, tiles + s * kStage + half * (kA / 2), tiles + s * kStage + kA, step == 0);
      commit_products();
      wait_products<0>();
      named_sync(1 + half, 128);  // all four warps of the group are done with the stage
      if (threadIdx.x % 128 == 0) arrive(empty + s * 8);
    }
    hold(d);
    const int m = tile % tiles_m * 128 + half * 64, n = tile / tiles_m * 32;
#pragma unroll
    for (int i = 0; i < 16; ++i) out[(m + product_row(i)) * width + n + product_column(i)] = d[i];
  }
}

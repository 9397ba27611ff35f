// Two blocks of a cluster, one below the other, need the same columns of B. Each loads half of them
// and multicasts its half into both. A stage is free when the warps of both blocks have let it go:
// a neighbour's load writes into it too. A warp of its own keeps the loads going.
constexpr int kStages = 2, kBlocks = 2;
constexpr u32 kA = 64 * 128, kB = 32 * 128, kStage = kA + kB;

WORD void load_box_to_both(u32 to, const TensorMap& map, int x, int y, u32 bar) {
  // Lands at the same offset of every block in the mask, and counts on the barrier there.
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
               ::"r"(to), "l"(&map), "r"(x), "r"(y), "r"(bar), "h"((u16)0b11) : "memory");
}

extern "C" __global__ void __cluster_dims__(1, kBlocks, 1) __launch_bounds__(160)
gemm_multicast(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
               float* out, int steps) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 tiles = shared_address(smem), full = tiles + kStages * kStage, empty = full + kStages * 8;
  const int m = blockIdx.y * 64, n = blockIdx.x * 32, warp = threadIdx.x / 32;
  const u32 rank = block_rank();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, kBlocks * 4);
    }
    publish_barriers();
  }
  cluster_sync();  // the neighbour's barriers exist before anything counts on them

  if (warp == 4) {
    if (is_elected())
#pragma unroll 1
      for (int step = 0; step < steps; ++step) {
        const int s = step % kStages, turn = step / kStages;
        wait(empty + s * 8, (turn + 1) & 1);
        arrive_expecting(full + s * 8, kStage);  // both halves of B land here
        load_box_2d(tiles + s * kStage, map_a, step * 64, m, full + s * 8);
        load_box_to_both(tiles + s * kStage + kA + rank * (kB / 2), map_b, step * 64,
                         n + (int)rank * 16, full + s * 8);
      }
  } else {
    float d[16];
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      const int s = step % kStages;
      wait(full + s * 8, step / kStages & 1);
      fence_products();
      multiply_row(d, tiles + s * kStage, tiles + s * kStage + kA, step == 0);
      commit_products();
      wait_products<0>();
      if (threadIdx.x % 32 < kBlocks) arrive_remote(map_to_rank(empty + s * 8, threadIdx.x % 32));
    }
    hold(d);
    const int width = gridDim.x * 32;
#pragma unroll
    for (int i = 0; i < 16; ++i) out[(m + product_row(i)) * width + n + product_column(i)] = d[i];
  }
  cluster_sync();  // the neighbour may still arrive here or load for both
}

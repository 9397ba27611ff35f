// Copies an array by boxes of one dimension, each block several pieces, double-buffered: while a
// piece is being stored the next one is being loaded. A buffer is loaded again only when the store
// out of it has read it.
constexpr int kPiece = 64, kBytes = kPiece * 4;

WORD void load_box_1d(u32 to, const TensorMap& map, int x, u32 bar) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
               ::"r"(to), "l"(&map), "r"(x), "r"(bar) : "memory");
}
WORD void store_box_1d(const TensorMap& map, int x, u32 from) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];"
               ::"l"(&map), "r"(x), "r"(from) : "memory");
}

// The whole block is one thread: engines do all the work.
extern "C" __global__ void __launch_bounds__(32)
tma_copy_1d(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to, int pieces) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 buffers = shared_address(smem), bars = buffers + 2 * kBytes;
  if (threadIdx.x != 0) return;
  init_barrier(bars, 1);
  init_barrier(bars + 8, 1);
  publish_barriers();
  const auto load = [&](int piece) {
    const u32 s = piece % 2;
    arrive_expecting(bars + s * 8, kBytes);
    load_box_1d(buffers + s * kBytes, from, (blockIdx.x * pieces + piece) * kPiece, bars + s * 8);
  };
  load(0);
#pragma unroll 1
  for (int piece = 0; piece < pieces; ++piece) {
    const u32 s = piece % 2;
    if (piece + 1 < pieces) {
      wait_stores_read<0>();  // the other buffer's store, of the piece before this one
      load(piece + 1);
    }
    wait(bars + s * 8, piece / 2 & 1);
    // Written by the engine and read by the engine: no proxy fence is called for.
    store_box_1d(to, (blockIdx.x * pieces + piece) * kPiece, buffers + s * kBytes);
    commit_stores();
  }
  wait_stores_read<0>();
}

// Transposes a matrix of 32-bit words, 32 x 32 at a time: one TMA load brings a tile, threads turn
// it within shared memory, one TMA store takes it away. Tiles at the edge need no extra code: what
// lies outside arrives as zero and is not stored.
constexpr int kTile = 32, kBytes = kTile * kTile * 4;

extern "C" __global__ void __launch_bounds__(128)
tma_transpose_2d(const __grid_constant__ TensorMap from, const __grid_constant__ TensorMap to) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 loaded = shared_address(smem), turned = loaded + kBytes, bar = turned + kBytes;
  if (threadIdx.x == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kBytes);  // the whole box counts, also the part outside the tensor
    load_box_2d(loaded, from, blockIdx.x * kTile, blockIdx.y * kTile, bar);
  }
  __syncthreads();  // nobody may wait on a barrier that is not there yet
  wait(bar, 0);

  // The map swizzles by 128 bytes: bits 4-6 of an address are XORed with its row. A column is read
  // without bank conflicts for it.
  const int column = threadIdx.x % kTile;
#pragma unroll 1
  for (int row = threadIdx.x / kTile; row < kTile; row += 4) {
    const u32 at = row * 128 + ((column * 4) ^ (row % 8 * 16));
    const u32 transposed = column * 128 + ((row * 4) ^ (column % 8 * 16));
    store_shared(turned + transposed, load_shared(loaded + at));
  }
  show_to_engines();  // each thread, for what it stored; then all have stored
  __syncthreads();
  if (threadIdx.x == 0) {
    store_box_2d(to, blockIdx.y * kTile, blockIdx.x * kTile, turned);
    commit_stores();
    wait_stores_read<0>();  // shared memory must live until it has been read
  }
}

// cp.async completing on mbarriers: each of 64 loading threads copies 16 bytes a stage and lets its
// copies arrive for it when they have landed, so that it never waits for them. Two other warps
// transpose what lands.
constexpr int kStages = 3, kLoaders = 64, kBytes = kLoaders * 16;

extern "C" __global__ void __launch_bounds__(128)
cp_async_mbarrier(const u32* in, u32* out, int pieces) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 ring = shared_address(smem), full = ring + kStages * kBytes, empty = full + kStages * 8;
  if (threadIdx.x == 0)
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, kLoaders);
      init_barrier(empty + s * 8, 2);
    }
  __syncthreads();
  const int words = kBytes / 4;
  if (threadIdx.x < kLoaders) {
#pragma unroll 1
    for (int piece = 0; piece < pieces; ++piece) {
      const int s = piece % kStages;
      wait(empty + s * 8, (piece / kStages + 1) & 1);
      copy_16(ring + s * kBytes + threadIdx.x * 16, in + piece * words + threadIdx.x * 4);
      // .noinc: this arrival is one of the kLoaders that the barrier was made with.
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(full + s * 8) : "memory");
    }
    return;
  }
  const int thread = threadIdx.x - kLoaders;
#pragma unroll 1
  for (int piece = 0; piece < pieces; ++piece) {
    const int s = piece % kStages;
    wait(full + s * 8, piece / kStages & 1);
    u32 value[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) value[i] = load_shared(ring + s * kBytes + (i * kLoaders + thread) * 4);
    __syncwarp();  // every lane has read before one lane lets go for the warp
    if (thread % 32 == 0) arrive(empty + s * 8);
#pragma unroll
    for (int i = 0; i < 4; ++i) out[piece * words + thread * 4 + i] = value[i];
  }
}

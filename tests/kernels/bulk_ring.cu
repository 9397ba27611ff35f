// Sums pieces of an array through a ring of four buffers. A producer thread keeps bulk copies in
// flight; 96 consumer threads add. Every buffer has two barriers: `full` ends its phase when the
// bytes have landed, `empty` when all consumers have let go. The ring turns many times, so parities
// alternate again and again.
constexpr int kStages = 4, kWords = 96, kBytes = kWords * 4;

extern "C" __global__ void __launch_bounds__(128) bulk_ring(const u32* in, u32* sums, int pieces) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 ring = shared_address(smem), full = ring + kStages * kBytes, empty = full + kStages * 8;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int s = 0; s < kStages; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, kWords);
    }
    publish_barriers();
  }
  __syncthreads();

  in += (u64)blockIdx.x * pieces * kWords;
  if (threadIdx.x >= kWords) {  // the last warp produces, by one lane
    if (threadIdx.x == kWords)
#pragma unroll 1
      for (int piece = 0; piece < pieces; ++piece) {
        const int s = piece % kStages, turn = piece / kStages;
        // Parity 1 in the first turn: the phase "before the first" is over, the buffer is free.
        wait(empty + s * 8, (turn + 1) & 1);
        arrive_expecting(full + s * 8, kBytes);
        bulk_load(ring + s * kBytes, in + piece * kWords, kBytes, full + s * 8);
      }
    return;
  }
  u32 sum = 0;
#pragma unroll 1
  for (int piece = 0; piece < pieces; ++piece) {
    const int s = piece % kStages, turn = piece / kStages;
    wait(full + s * 8, turn & 1);
    sum += load_shared(ring + s * kBytes + threadIdx.x * 4) * (piece + 1);
    arrive(empty + s * 8);
  }
  sums[blockIdx.x * kWords + threadIdx.x] = sum;
}

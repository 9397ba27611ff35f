// Producers and consumers of one block, held together by named barriers alone: the side that only
// has something to say arrives, the side that needs it synchronises. Two buffers, two pairs of
// barriers; barrier 0 is left to the whole block.
constexpr int kHalf = 64, kBytes = kHalf * 4;
constexpr u32 kFull = 1, kEmpty = 3;  // and the ones after them for the second buffer

extern "C" __global__ void __launch_bounds__(2 * kHalf) named_barriers(const u32* in, u32* out, int rounds) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 buffers = shared_address(smem);
  const u32 thread = threadIdx.x % kHalf;
  if (threadIdx.x < kHalf) {
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      const u32 s = round % 2;
      if (round >= 2) named_sync(kEmpty + s, 2 * kHalf);
      store_shared(buffers + s * kBytes + thread * 4, in[round * kHalf + thread] * 3);
      named_arrive(kFull + s, 2 * kHalf);
    }
  } else {
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      const u32 s = round % 2;
      named_sync(kFull + s, 2 * kHalf);
      const u32 mirrored = load_shared(buffers + s * kBytes + (kHalf - 1 - thread) * 4);
      if (round + 2 < rounds) named_arrive(kEmpty + s, 2 * kHalf);
      out[round * kHalf + thread] = mirrored;
    }
  }
}

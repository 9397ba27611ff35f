// A relay through the shared memory of a cluster: block r adds its own number to every word of a
// message and pushes it into block r+1 by st.async, which counts bytes on the receiver's barrier.
// Rounds follow one another through two buffers; the receiver says when a buffer is free again.
constexpr int kBlocks = 4, kWords = 64, kBytes = kWords * 4;

WORD void push(u32 to, u32 value, u32 bar) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
               ::"r"(to), "r"(value), "r"(bar) : "memory");
}

extern "C" __global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kWords)
dsmem_push(const u32* in, u32* out, int rounds) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 inbox = shared_address(smem), full = inbox + 2 * kBytes, empty = full + 16;
  const u32 rank = block_rank(), thread = threadIdx.x;
  if (thread == 0) {
#pragma unroll 1
    for (int s = 0; s < 2; ++s) {
      init_barrier(full + s * 8, 1);
      init_barrier(empty + s * 8, kWords);  // on the sender's side, arrived at by the receiver
    }
    publish_barriers();
  }
  cluster_sync();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const u32 s = round % 2, phase = round / 2 & 1;
    u32 value = 0;
    if (rank == 0) {
      value = in[round * kWords + thread];
    } else {
      if (thread == 0) arrive_expecting(full + s * 8, kBytes);
      wait_cluster(full + s * 8, phase);
      value = load_shared(inbox + s * kBytes + thread * 4);
      arrive_remote(map_to_rank(empty + s * 8, rank - 1));
    }
    value = value * 3 + rank;
    if (rank + 1 < kBlocks) {
      wait_cluster(empty + s * 8, phase ^ 1);
      push(map_to_rank(inbox + s * kBytes + thread * 4, rank + 1), value,
           map_to_rank(full + s * 8, rank + 1));
    } else {
      out[round * kWords + thread] = value;
    }
  }
  cluster_sync();  // the last arrivals reach blocks that are still there
}

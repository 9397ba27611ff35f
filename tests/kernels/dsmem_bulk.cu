// Blocks of a cluster turn a matrix of pieces: block r fills one piece for every neighbour and
// sends it by a bulk copy from its shared memory into theirs, which counts bytes over there.
constexpr int kBlocks = 4, kWords = 32, kBytes = kWords * 4;

extern "C" __global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kWords)
dsmem_bulk(const u32* in, u32* out) {
  extern __shared__ __align__(128) u8 smem[];
  const u32 outbox = shared_address(smem), inbox = outbox + kBlocks * kBytes, bar = inbox + kBlocks * kBytes;
  const u32 rank = block_rank(), thread = threadIdx.x;
  if (thread == 0) {
    init_barrier(bar, 1);
    publish_barriers();
    arrive_expecting(bar, kBlocks * kBytes);
  }
#pragma unroll 1
  for (u32 peer = 0; peer < kBlocks; ++peer)
    store_shared(outbox + peer * kBytes + thread * 4, in[(rank * kBlocks + peer) * kWords + thread]);
  show_to_engines();
  cluster_sync();  // every barrier is there, every outbox filled
  if (thread == 0)
#pragma unroll 1
    for (u32 peer = 0; peer < kBlocks; ++peer)
      asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   ::"r"(map_to_rank(inbox + rank * kBytes, peer)), "r"(outbox + peer * kBytes),
                   "r"(kBytes), "r"(map_to_rank(bar, peer)) : "memory");
  wait_cluster(bar, 0);
#pragma unroll 1
  for (u32 peer = 0; peer < kBlocks; ++peer)
    out[(rank * kBlocks + peer) * kWords + thread] = load_shared(inbox + peer * kBytes + thread * 4);
  cluster_sync();  // an outbox lives until its bytes have arrived everywhere
}

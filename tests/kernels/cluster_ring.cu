// A ring of blocks that hold one value each and read the next one's in every round. Whoever read a
// value says so to its owner, who may then replace it: two mbarriers in each direction of the ring
// and no barrier of the whole cluster until the end.
constexpr int kBlocks = 4, kThreads = 32;

extern "C" __global__ void __cluster_dims__(kBlocks, 1, 1) __launch_bounds__(kThreads)
cluster_ring(const u32* in, u32* out, int rounds) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 value = shared_address(smem), ready = value + kThreads * 4, taken = ready + 8;
  const u32 rank = block_rank(), next = (rank + 1) % kBlocks, last = (rank + kBlocks - 1) % kBlocks;
  const u32 thread = threadIdx.x, mine = value + thread * 4;
  if (thread == 0) {
    init_barrier(ready, kThreads);  // the next block's value is there
    init_barrier(taken, kThreads);  // the last block has read mine
    publish_barriers();
  }
  cluster_sync();
  u32 held = in[rank * kThreads + thread], sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if (round > 0) wait_cluster(taken, (round - 1) & 1);
    asm volatile("st.shared::cluster.b32 [%0], %1;" ::"r"(map_to_rank(mine, rank)), "r"(held) : "memory");
    arrive_remote(map_to_rank(ready, last));
    wait_cluster(ready, round & 1);
    asm volatile("ld.shared::cluster.b32 %0, [%1];" : "=r"(held) : "r"(map_to_rank(mine, next)) : "memory");
    arrive_remote(map_to_rank(taken, next));
    sum = sum * 5 + held;
  }
  out[rank * kThreads + thread] = sum;
  cluster_sync();
}

// prelude/cluster.cu: blocks that share what they load (sm_90).
//   gives: int cluster_rank(); unsigned in_block(unsigned, int); void arrive_in_cluster(unsigned), cluster_barrier()
__device__ __forceinline__ int cluster_rank() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
// The same shared address in block `rank` of the cluster.
__device__ __forceinline__ unsigned in_block(unsigned address, int rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ __forceinline__ void arrive_in_cluster(unsigned barrier) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ __forceinline__ void cluster_barrier() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// prelude/cluster.cu (of one): a block that shares nothing of what it loads.
//   gives: int cluster_rank(); void cluster_barrier()
__device__ __forceinline__ int cluster_rank() { return 0; }
__device__ __forceinline__ void cluster_barrier() { __syncthreads(); }

// prelude/cluster.cu (sums): blocks that read what others of their cluster have in shared memory.
//   gives: unsigned shared_of(unsigned, int); uint4 read_there(unsigned); void arrive_at_cluster(), wait_for_cluster()
// The same shared address in block `rank` of the cluster.
__device__ __forceinline__ unsigned shared_of(unsigned address, int rank) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}
__device__ __forceinline__ uint4 read_there(unsigned address) {
  uint4 word;
  asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
               : "r"(address)
               : "memory");
  return word;
}
// What this thread has read and written is done before others pass; threads that have ended count as there.
__device__ __forceinline__ void arrive_at_cluster() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
__device__ __forceinline__ void wait_for_cluster() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

// probe/tma_load.cu: rank 0 of a cluster of ${ranks} asks for the box of this pass; every rank waits
// for its bytes and hands over what they became in its shared memory.
__shared__ __align__(1024) unsigned dst_tile[${words}];
__shared__ __align__(8) unsigned long long barrier;
const unsigned tile_address = static_cast<unsigned>(__cvta_generic_to_shared(dst_tile));
const unsigned barrier_address = static_cast<unsigned>(__cvta_generic_to_shared(&barrier));
const int pass = static_cast<int>(block / ${ranks}), rank = static_cast<int>(block % ${ranks});
if (threadIdx.x == 0) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier_address) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], ${bytes};" ::"r"(barrier_address) : "memory");
}
asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
if (rank == 0 && threadIdx.x == 0)
  ${load}(tile_address, map, 0, pass * ${outer}, barrier_address${blocks});
asm volatile(
    "{ .reg .pred done;\n"
    "  WAIT: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
    "  @!done bra WAIT; }\n" ::"r"(barrier_address) : "memory");
for (int i = threadIdx.x; i < ${words}; i += kThreads) dst[block * ${words} + i] = dst_tile[i];
asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
asm volatile("barrier.cluster.wait.aligned;" ::: "memory");

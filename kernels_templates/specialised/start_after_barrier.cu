// specialised/start_after_barrier.cu: every thread of the block sees the barriers before anybody loads.
//   needs: int kConsumerWarps, kFreeArrivals, kFullArrivals, kStages; int thread; unsigned free, full
//   needs: void cluster_barrier(), init_barrier(unsigned, int), publish_barriers(), wait_for_previous_kernel()
//   gives: int loaded
if (thread == 0) {
  #pragma unroll 1
  for (int stage = 0; stage < kStages; ++stage) {
    init_barrier(full + 8 * stage, kFullArrivals);
    init_barrier(free + 8 * stage, kFreeArrivals);
  }
  $[more_barriers]
  publish_barriers();
}
if (thread == 32 * kConsumerWarps) {
  $[prefetch]
}
cluster_barrier();
$[release]
wait_for_previous_kernel();
const int loaded = 0;

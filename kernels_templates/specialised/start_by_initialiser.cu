// specialised/start_by_initialiser.cu: the thread that initialises the barriers asks for the first
// k-tiles at once; the others see the barriers a little later.
//   needs: type Place; int kConsumerWarps, kFreeArrivals, kFullArrivals, kStages
//   needs: int clusters, first_cluster, k_tiles, m, n, rank, thread; unsigned free, full
//   needs: Place place_of(int, int, int, int)
//   needs: void cluster_barrier(), init_barrier(unsigned, int), load_stage(int, int, const Place&)
//   needs: void publish_barriers(), wait_for_previous_kernel()
//   gives: int loaded
int loaded = 0;
if (thread == 32 * kConsumerWarps) {
  $[prefetch]
  #pragma unroll 1
  for (int stage = 0; stage < kStages; ++stage) {
    init_barrier(full + 8 * stage, kFullArrivals);
    init_barrier(free + 8 * stage, kFreeArrivals);
  }
  $[more_barriers]
  publish_barriers();
  wait_for_previous_kernel();
  if (first_cluster < clusters) {
    const Place at = place_of(first_cluster, rank, m, n);
    loaded = min(kStages, k_tiles);
    #pragma unroll 1
    for (int stage = 0; stage < loaded; ++stage) load_stage(stage, stage, at);
  }
}
cluster_barrier();
$[release]
wait_for_previous_kernel();

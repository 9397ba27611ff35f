// specialised/start_by_initialiser.cu: the thread that initialises the barriers asks for the first
// k-tiles at once; the others see the barriers a little later.
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
  $[first_tile]
    loaded = min(kStages, k_tiles);
    #pragma unroll 1
    for (int stage = 0; stage < loaded; ++stage) load_stage(stage, stage, at);
  }
}
${barrier};
$[release]
wait_for_previous_kernel();

// specialised/start.cu (addresses): where the block's shared memory lies.
//   needs: int kFreeOffset, kFullOffset; unsigned char* smem; unsigned shared_address(const void*)
//   gives: unsigned free, full, shared
const unsigned shared = shared_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;

// specialised/start.cu (settled addresses): where the block's shared memory lies. Found anew for every k-tile they would keep products waiting.
//   needs: int kFreeOffset, kFullOffset; unsigned char* smem; unsigned settled_address(const void*)
//   gives: unsigned free, full, shared
const unsigned shared = settled_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;

// specialised/start.cu (after the barrier): every thread of the block sees the barriers before anybody loads.
//   needs: int kBarrierBytes
//   needs: int kConsumerWarps, kFreeArrivals, kFullArrivals, kStages; int thread; unsigned free, full
//   needs: void cluster_barrier(), init_barrier(unsigned, int), publish_barriers(), wait_for_previous_kernel()
if (thread == 0) {
  #pragma unroll
  for (int stage = 0; stage < kStages; ++stage) {
    init_barrier(full + kBarrierBytes * stage, kFullArrivals);
    init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
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

// specialised/start.cu (by the initialiser): the thread that initialises the barriers asks for the first
// k-tiles at once; the others see the barriers a little later. Unrolled, barriers cost one fence in all: those of all stages
// that there is room for, however many a launch has. Where the first tile lies is known before the kernel ahead has ended.
//   needs: int kBarrierBytes
//   needs: type Place; int kConsumerWarps, kFreeArrivals, kFreeOffset, kFullArrivals, kFullOffset, kStages
//   needs: int clusters, first_cluster, k_tiles, ${extents}, rank, warp; unsigned free, full
//   needs: Place known_here(Place), place_of(int, int, int, int)
//   needs: bool elected(); void cluster_barrier(), init_barrier(unsigned, int), load_stage(int, int, const Place&)
//   needs: void publish_barriers(), wait_for_previous_kernel()
//   gives: int loaded
//   fills: if_ready = if (first_cluster < clusters); meet = cluster_barrier();; extents = m, n
int loaded = 0;
if (warp == kConsumerWarps && elected()) {
  $[prefetch]
  const Place at = known_here(place_of(first_cluster, rank, ${extents}));
  #pragma unroll
  for (int stage = 0; stage < (kFreeOffset - kFullOffset) / kBarrierBytes; ++stage) {
    init_barrier(full + kBarrierBytes * stage, kFullArrivals);
    init_barrier(free + kBarrierBytes * stage, kFreeArrivals);
  }
  $[more_barriers]
  publish_barriers();
  $[ahead]
  wait_for_previous_kernel();
  ${if_ready}{
    loaded = min(kStages, k_tiles);
    #pragma unroll 1
    for (int stage = 0; stage < loaded; ++stage) load_stage(stage, stage, at);
  }
}
$[meet]
$[release]
wait_for_previous_kernel();

// specialised/start.cu (ahead): the L2 cache asks memory for the first k-tiles while the kernel ahead is at work. Nothing is read so
// early: what that kernel still writes, it writes to the same cache. Blocks that load the same of an operand deal its k-tiles out
// among themselves: lines that many ask for ahead come late to all of them.
//   needs: type Place; int clusters, first_cluster, k_tiles, kStages, kTileM, kTileN, ${m}, ${n}; Place at
//   gives: int k_tile
//   fills: if_ready = if (first_cluster < clusters); m = m; n = n
${if_ready}{
  #pragma unroll 1
  for (int stage = at.tile_m; stage < min(kStages, k_tiles); stage += (${m} + kTileM - 1) / kTileM) {
    int k_tile = stage;
    $[load_b]
  }
  #pragma unroll 1
  for (int stage = at.tile_n; stage < min(kStages, k_tiles); stage += (${n} + kTileN - 1) / kTileN) {
    int k_tile = stage;
    $[load_a]
  }
}

// specialised/start.cu (barriers of C): those of subtiles that C lands in.
//   needs: int kBarrierBytes
//   needs: int kCFullOffset, kGroups, kSubtileCopies; unsigned shared; void init_barrier(unsigned, int)
#pragma unroll
for (int subtile = 0; subtile < kGroups * kSubtileCopies; ++subtile) init_barrier(shared + kCFullOffset + kBarrierBytes * subtile, 1);

// specialised/start.cu (barriers of turns): those of teams that wait for their turn.
//   needs: int kBarrierBytes
//   needs: int kTeamThreads, kPingPong, kTurnOffset; unsigned shared; void init_barrier(unsigned, int)
#pragma unroll
for (int team = 0; team < kPingPong; ++team) init_barrier(shared + kTurnOffset + kBarrierBytes * team, kTeamThreads / 32);

// specialised/copies.cu: the producer's warps copy k-tiles to stages, each thread its share. A thread tells of a
// k-tile while those behind it are on their way: when its own copies have landed, and the tensor core sees them.
//   needs: int kBarrierBytes, kCopiesAhead
//   needs: type Pipe, Place; int kConsumerWarps
//   needs: int cluster_step, clusters, first_cluster, ${extents}, rank, thread; unsigned free, full
//   needs: Place place_of(int, int, int, int)
//   needs: void arrive(unsigned), commit_copies(), show_copies(), wait_copies<>(), wait_for(unsigned, int)
//   gives: Pipe pipe; Place at; int copier, k_tile, matrix, tile_m, tile_n
//   fills: extents = m, n
$[registers]
Pipe pipe, landed;
const int copier = thread - 32 * kConsumerWarps;
int on_the_way = 0;
#pragma unroll 1
for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
  const Place at = place_of(cluster, rank, ${extents});
  const int tile_m = at.tile_m, tile_n = at.tile_n, matrix = at.matrix;
  $[ways]
  //   needs: int k_tiles
  #pragma unroll 1
  for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
    wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
    $[ask]
    commit_copies();
    pipe.next();
    if (on_the_way < kCopiesAhead) {
      ++on_the_way;
      continue;
    }
    wait_copies<kCopiesAhead>();
    show_copies();
    arrive(full + kBarrierBytes * landed.stage);
    landed.next();
  }
}
wait_copies<0>();
show_copies();
#pragma unroll 1
for (; on_the_way > 0; --on_the_way) {
  arrive(full + kBarrierBytes * landed.stage);
  landed.next();
}

// specialised/copies.cu (target): where this thread puts what it copies of ${X} in the first stage.
//   needs: int copier, kOffset${X}; unsigned shared; int store_${x}_base(int)
//   gives: unsigned ${x}_target
const unsigned ${x}_target = shared + kOffset${X} + store_${x}_base(copier);

// specialised/copies.cu (ask): ${X}'s k-tile on its way to a stage.
//   needs: Pipe pipe; int kStageBytes${X}; unsigned ${x}_target; void load_${x}(unsigned)
load_${x}(${x}_target + pipe.stage * kStageBytes${X});

// specialised/copies.cu (boxes): one thread asks TMA for the k-tile of the other operand.
//   needs: type Place; Pipe pipe; Place at; int k_tile, kConsumerWarps, warp; bool elected()
//   needs: void load_stage(int, int, const Place&)
if (warp == kConsumerWarps && elected()) load_stage(pipe.stage, k_tile, at);

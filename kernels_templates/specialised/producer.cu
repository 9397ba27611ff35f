// specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
//   needs: int kBarrierBytes
//   needs: type Pipe, Place; int kConsumerWarps
//   needs: int cluster_step, clusters, first_cluster, ${extents}, rank, warp; unsigned free
//   needs: Place place_of(int, int, int, int); bool elected(); void load_stage(int, int, const Place&), wait_for(unsigned, int)
//   gives: Pipe pipe; int k_tile
//   fills: begin = {}; first = int k_tile = 0; extents = m, n
$[registers]
if (warp == kConsumerWarps && elected()) {
  Pipe pipe${begin};
  $[maps]
  $[loaded]
  #pragma unroll 1
  for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
    const Place at = place_of(cluster, rank, ${extents});
    $[tile]
    //   needs: int k_tiles
    #pragma unroll 1
    for (${first}; k_tile < k_tiles; ++k_tile) {
      wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
      load_stage(pipe.stage, k_tile, at);
      pipe.next();
    }
    $[behind]
  }
}

// specialised/producer.cu (loaded): the first stages have been asked for.
//   needs: type Pipe; Pipe pipe; int kStages, loaded
//   fills: more =
if (loaded > 0) pipe = {loaded == kStages ? 0 : loaded, loaded == kStages ? 1 : 0${more}};

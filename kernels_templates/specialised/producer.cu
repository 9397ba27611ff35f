// specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
//   needs: int kBarrierBytes
//   needs: type Pipe, Place; int kConsumerWarps, kStages
//   needs: int cluster_step, clusters, first_cluster, k_tiles, loaded, m, n, rank, warp; unsigned free
//   needs: Place place_of(int, int, int, int); bool elected(); void load_stage(int, int, const Place&), wait_for(unsigned, int)
//   gives: Pipe pipe; int k_tile
//   fills: begin = {}; more = 
$[registers]
if (warp == kConsumerWarps && elected()) {
  Pipe pipe${begin};
  $[maps]
  int k_tile = loaded;
  if (loaded > 0) pipe = {loaded == kStages ? 0 : loaded, loaded == kStages ? 1 : 0${more}};
  #pragma unroll 1
  for (int cluster = first_cluster; cluster < clusters; cluster += cluster_step) {
    const Place at = place_of(cluster, rank, m, n);
    $[tile]
    #pragma unroll 1
    for (; k_tile < k_tiles; ++k_tile) {
      wait_for(free + kBarrierBytes * pipe.stage, pipe.parity ^ 1);
      load_stage(pipe.stage, k_tile, at);
      pipe.next();
    }
    $[behind]
    k_tile = 0;
  }
}

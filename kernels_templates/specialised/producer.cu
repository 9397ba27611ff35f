// specialised/producer.cu: one thread asks for every k-tile as soon as its stage is free.
$[registers]
if (thread == 32 * kConsumerWarps) {
  Pipe pipe;
  int k_tile = loaded;
  if (loaded > 0) pipe = {loaded % kStages, loaded / kStages};
  $[tile]
    #pragma unroll 1
    for (; k_tile < k_tiles; ++k_tile) {
      wait_for(free + 8 * pipe.stage, pipe.parity ^ 1);
      load_stage(pipe.stage, k_tile, at);
      pipe.next();
    }
    k_tile = 0;
  }
}

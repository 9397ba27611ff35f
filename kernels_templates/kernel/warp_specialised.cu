$[words]

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain. In time,
// with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
//   needs: int kBlocksPerSm, kConsumerWarps, kThreads
//   gives: int thread, warp; unsigned char* smem
//   fills: signature = warp_specialised()
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${signature} {
  extern __shared__ __align__(1024) unsigned char smem[];
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  $[share]
  if (warp >= kConsumerWarps) {
    $[producer]
  } else {
    $[consumer]
  }
  $[leave]
}

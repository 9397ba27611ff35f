$[banner]
$[contents]

$[types]

$[constants]

$[functions]

// kernel/warp_specialised.cu: a producer keeps stages filled, groups of consumers multiply and drain; the
// ${tiles}. In time, with s the stage of a k-tile:
//   producer   wait free[s], load into s            and so on, up to kStages ahead, from tile to tile
//   consumers  wait full[s], multiply s, release s  ...  D of the tile, while the next one is loaded
//   needs: type Place; int kBlocksPerSm, kConsumerWarps, kFreeOffset, kFullBytes, kFullOffset, kThreads
//   needs: unsigned shared_address(const void*); void expect_bytes(unsigned, int)
//   gives: Place at; int k_tile, rank, stage, thread, warp; unsigned free, full, shared, stage_full; unsigned char* smem
//   gives: void load_stage(int, int, const Place&)
//   fills: symbol = warp_specialised; tiles = block has one tile of D; rank = 0
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
${symbol}(
    $[parameters]
) {
  extern __shared__ __align__(1024) unsigned char smem[];
  const unsigned shared = shared_address(smem), full = shared + kFullOffset, free = shared + kFreeOffset;
  const int thread = threadIdx.x, warp = __shfl_sync(0xffffffff, thread / 32, 0);
  $[extents]
  $[k_tiles]
  const int rank = ${rank};
  $[walk]
  // All boxes of a k-tile, and the bytes that its barrier then waits for.
  const auto load_stage = [&](int stage, int k_tile, const Place& at) {
    const unsigned stage_full = full + 8 * stage;
    expect_bytes(stage_full, kFullBytes);
    $[load]
  };
  $[start]
  if (warp >= kConsumerWarps) {
    $[producer]
  } else {
    $[consumer]
  }
  $[leave]
}

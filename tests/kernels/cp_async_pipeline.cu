// A stencil over rows: out[r] = in[r-1] + 2 in[r] + in[r+1], element by element. Three rows are in
// use while a fourth and a fifth are on their way by cp.async. One group is committed a row, also
// behind the last row, so that "all but the newest" counts the same in every turn.
constexpr int kStages = 6, kAhead = 3, kRow = 128, kBytes = kRow * 4;

extern "C" __global__ void __launch_bounds__(kRow)
cp_async_pipeline(const int* in, int* out, int rows) {
  extern __shared__ __align__(1024) u8 smem[];
  const u32 ring = shared_address(smem);
  const int column = threadIdx.x;
  const auto start = [&](int row) {
    // A quarter of the threads copies 16 bytes each; outside the image a row is zeros.
    if (column < kRow / 4) {
      const u32 to = ring + row % kStages * kBytes + column * 16;
      if (row < rows)
        copy_16(to, in + row * kRow + column * 4);
      else
#pragma unroll 1
        for (int i = 0; i < 4; ++i) store_shared(to + i * 4, 0);
    }
    commit_copies();
  };
#pragma unroll 1
  for (int row = 0; row < kAhead; ++row) start(row);

  u32 above = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
    wait_copies<kAhead - 2>();  // this thread's copies of rows up to row + 1 have landed
    __syncthreads();            // everyone's have
    const u32 at = column * 4;
    const u32 here = load_shared(ring + row % kStages * kBytes + at);
    const u32 below = load_shared(ring + (row + 1) % kStages * kBytes + at);
    out[row * kRow + column] = (int)(above + 2 * here + below);
    above = here;
    // Writes a buffer whose last readers passed the barrier of this turn or an earlier one.
    start(row + kAhead);
  }
}

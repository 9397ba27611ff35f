// Steps of a heat equation on a ring of cells, a barrier of the whole grid after each: blocks count
// themselves in, and wait until the count has reached the next multiple of the grid. The launch
// must fit onto the chip at once, or the barrier waits for blocks that cannot begin.
constexpr int kThreads = 64;

WORD void grid_sync(u32* count, u32 goal) {
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(count) : "memory");
    u32 seen;
    do {
      asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(seen) : "l"(count) : "memory");
    } while (seen < goal);
  }
  __syncthreads();
}

extern "C" __global__ void __launch_bounds__(kThreads) grid_barrier(u32* even, u32* odd, u32* count, int steps) {
  const u32 cells = gridDim.x * kThreads, cell = blockIdx.x * kThreads + threadIdx.x;
#pragma unroll 1
  for (int step = 0; step < steps; ++step) {
    const u32* from = step % 2 ? odd : even;
    u32* to = step % 2 ? even : odd;
    to[cell] = from[(cell + cells - 1) % cells] + 2 * from[cell] + from[(cell + 1) % cells];
    grid_sync(count, (step + 1) * gridDim.x);
  }
}

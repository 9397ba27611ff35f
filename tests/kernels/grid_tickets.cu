// A persistent grid that draws its work: one thread takes a ticket for the block and shows it to the
// others through shared memory. Which block does which piece is open; the result is not.
constexpr int kThreads = 64;

extern "C" __global__ void __launch_bounds__(kThreads)
grid_tickets(const u32* in, u32* out, u32* next, int pieces) {
  __shared__ u32 drawn;
  for (;;) {
    if (threadIdx.x == 0)
      asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(drawn) : "l"(next) : "memory");
    __syncthreads();
    const u32 piece = drawn;
    __syncthreads();  // all have read the ticket before the next one is drawn
    if (piece >= pieces) return;
    const u32 value = in[piece * kThreads + threadIdx.x];
    out[piece * kThreads + threadIdx.x] = value * value + piece;
  }
}

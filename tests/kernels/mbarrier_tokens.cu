// The other way to wait on an mbarrier: an arrival returns a token of its phase, and the wait asks
// for the end of that very phase, with no parity to keep. Between the two there is time for work
// that needs nobody. One warp leaves early and takes its arrivals along (arrive_drop).
constexpr int kThreads = 96;

WORD u64 arrive_for_token(u32 bar) {
  u64 token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
  return token;
}
WORD bool is_over(u32 bar, u64 token) {
  u32 yes;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(yes) : "r"(bar), "l"(token) : "memory");
  return yes != 0;
}

extern "C" __global__ void __launch_bounds__(kThreads) mbarrier_tokens(const u32* in, u32* out, int rounds) {
  extern __shared__ __align__(16) u8 smem[];
  const u32 buffers = shared_address(smem), bar = buffers + 2 * kThreads * 4, thread = threadIdx.x;
  if (thread == 0) init_barrier(bar, kThreads);
  __syncthreads();
  const int leaves_at = rounds / 2;  // after this round the last warp is gone
  u32 sum = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    const bool leaves = round == leaves_at && thread >= 64;
    const int threads = round <= leaves_at ? kThreads : 64;
    const u32 buffer = buffers + round % 2 * kThreads * 4;
    store_shared(buffer + thread * 4, in[round * kThreads + thread]);
    if (leaves) {
      asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
      break;
    }
    const u64 token = arrive_for_token(bar);
    const u32 own = in[round * kThreads + thread] * 7;  // meanwhile
    while (!is_over(bar, token)) {
    }
    sum += own + load_shared(buffer + (thread + 1) % threads * 4);
  }
  out[thread] = sum;
}

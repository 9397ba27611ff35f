// kernel/barrier.cu: ranks meet. Each raises its flag in every rank's window to the number of the turn, and waits until all
// flags of its own window are there. What its stream has written lies behind the flags, what others wrote before the end.
// Whoever waits too long, or finds a fault, ends: the host looks at the fault.
//   gives: type Flag; type Windows; unsigned turn_of(const Flag*); void raise_flag(Flag*, unsigned); unsigned long long moment()
//   fills: ranks = 2; threads = 32; symbol = barrier
struct Flag {
  unsigned turn, unused[15];
};
struct Windows {
  Flag* flags[${ranks}];  // of each rank's window: a flag for each rank
};
__device__ __forceinline__ unsigned turn_of(const Flag* flag) {
  unsigned turn;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(turn) : "l"(&flag->turn) : "memory");
  return turn;
}
__device__ __forceinline__ void raise_flag(Flag* flag, unsigned turn) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(&flag->turn), "r"(turn) : "memory");
}
__device__ __forceinline__ unsigned long long moment() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}
extern "C" __global__ void __launch_bounds__(${threads})
${symbol}(Windows windows, Flag* fault, int rank, unsigned turn, unsigned long long limit_ns) {
  const int peer = threadIdx.x;
  if (peer >= ${ranks}) return;
  raise_flag(windows.flags[peer] + rank, turn);
  if (peer == rank) return;
  const Flag* const awaited = windows.flags[rank] + peer;
  const unsigned long long begin = limit_ns == 0 ? 0 : moment();
  for (unsigned look = 1; static_cast<int>(turn_of(awaited) - turn) < 0; ++look) {
    if (look % 64 != 0) continue;
    if (turn_of(fault) != 0) return;
    if (limit_ns == 0 || moment() - begin <= limit_ns) continue;
    raise_flag(fault, 1 + peer);
    return;
  }
}

// kernel/stamp.cu: the first thread of each role, or warp, writes down when it came where, by the clock of its SM.
//   gives: type Clock, Stamps; Clock clock_now(); void put_stamp(Stamps&, int, Clock); long long block_number()
typedef unsigned long long Clock;
struct Stamps {
  Clock* next;
  int left;
};
__device__ __forceinline__ Clock clock_now() {
  Clock now;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(now) : : "memory");
  return now;
}
// The moment in the lowest bits, from 1: no stamp is 0.
__device__ __forceinline__ void put_stamp(Stamps& stamps, int moment, Clock clock) {
  if (stamps.left == 0) return;
  *stamps.next = clock << 8 | (moment + 1);
  ++stamps.next;
  --stamps.left;
}
__device__ __forceinline__ long long block_number() {
  return blockIdx.x + gridDim.x * (blockIdx.y + static_cast<long long>(gridDim.y) * blockIdx.z);
}

// kernel/stamp.cu (roles): roles are groups of consumers, then the producer.
//   needs: type Clock, Stamps; long long block_number(); int kConsumerWarps, kGroupThreads, kGroups, kStamps
//   gives: Stamps stamps_of(Clock*, int)
__device__ __forceinline__ Stamps stamps_of(Clock* stamps, int thread) {
  const bool leads = thread <= 32 * kConsumerWarps && thread % kGroupThreads == 0;
  return {stamps + (block_number() * (kGroups + 1) + thread / kGroupThreads) * kStamps, leads ? kStamps : 0};
}

// kernel/stamp.cu (warps): all warps do the same.
//   needs: type Clock, Stamps; long long block_number(); int kStamps, kThreads
//   gives: Stamps stamps_of(Clock*, int)
__device__ __forceinline__ Stamps stamps_of(Clock* stamps, int thread) {
  constexpr int kWarps = (kThreads + 31) / 32;
  return {stamps + (block_number() * kWarps + thread / 32) * kStamps, thread % 32 == 0 ? kStamps : 0};
}

// kernel/stamp.cu (begin): the kernel's first moment; it is written down later.
//   needs: type Clock; Clock clock_now()
//   gives: Clock began
const Clock began = clock_now();

// kernel/stamp.cu (start): before the kernel ahead has ended nobody writes.
//   needs: type Clock, Stamps; Clock began, clock_now(); Clock* stamps
//   needs: Stamps stamps_of(Clock*, int); void put_stamp(Stamps&, int, Clock)
//   gives: Stamps stamp_log
Stamps stamp_log = stamps_of(stamps, static_cast<int>(threadIdx.x));
put_stamp(stamp_log, 0, began);
put_stamp(stamp_log, 1, clock_now());

// kernel/stamp.cu (first data): the main loop waits for this once more.
//   needs: int kBarrierBytes
//   needs: type Clock, Stamps; Pipe pipe; Stamps stamp_log; Clock clock_now(); int k_tiles; unsigned full
//   needs: void wait_for(unsigned, int), put_stamp(Stamps&, int, Clock)
//   fills: if_any = if (k_tiles > 0)
${if_any}wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
put_stamp(stamp_log, 2, clock_now());

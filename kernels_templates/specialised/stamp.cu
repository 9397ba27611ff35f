// specialised/stamp.cu: the first thread of each role writes down when it came where, by the clock of its SM.
//   needs: int kConsumerWarps, kGroupThreads, kGroups, kStamps
//   gives: type Clock, Stamps; Clock clock_now(); void put_stamp(Stamps&, int, Clock); Stamps stamps_of(Clock*, int)
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
// Roles are groups of consumers, then the producer.
__device__ __forceinline__ Stamps stamps_of(Clock* stamps, int thread) {
  const long long block = blockIdx.x + gridDim.x * (blockIdx.y + static_cast<long long>(gridDim.y) * blockIdx.z);
  const bool leads = thread <= 32 * kConsumerWarps && thread % kGroupThreads == 0;
  return {stamps + (block * (kGroups + 1) + thread / kGroupThreads) * kStamps, leads ? kStamps : 0};
}

// specialised/stamp.cu (begin): the kernel's first moment; it is written down later.
//   needs: type Clock; Clock clock_now()
//   gives: Clock began
const Clock began = clock_now();

// specialised/stamp.cu (start): before the kernel ahead has ended nobody writes.
//   needs: type Clock, Stamps; Clock began, clock_now(); Clock* stamps; int thread
//   needs: Stamps stamps_of(Clock*, int); void put_stamp(Stamps&, int, Clock)
//   gives: Stamps stamp_log
Stamps stamp_log = stamps_of(stamps, thread);
put_stamp(stamp_log, 0, began);
put_stamp(stamp_log, 1, clock_now());

// specialised/stamp.cu (first data): the main loop waits for this once more.
//   needs: int kBarrierBytes
//   needs: type Clock, Stamps; Pipe pipe; Stamps stamp_log; Clock clock_now(); int k_tiles; unsigned full
//   needs: void wait_for(unsigned, int), put_stamp(Stamps&, int, Clock)
if (k_tiles > 0) wait_for(full + kBarrierBytes * pipe.stage, pipe.parity);
put_stamp(stamp_log, 2, clock_now());

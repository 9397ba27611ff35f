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

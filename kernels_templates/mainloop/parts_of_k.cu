// mainloop/parts_of_k.cu: groups of threads that had other parts of K leave their sums in shared memory; the
// first one adds them, in the order of the groups, and drains the tile.
//   needs: type Accum, Vector<>; FragmentC acc; int kAccumulators, kDrainThreads, kPartsOfK, kSumElems; int thread
//   needs: unsigned char* smem
typedef Vector<Accum, kSumElems> Sums;
Sums* const sums_of_thread = reinterpret_cast<Sums*>(smem) + thread % kDrainThreads;
constexpr int kSums = kAccumulators / kSumElems;
if (thread >= kDrainThreads) {
  #pragma unroll
  for (int i = 0; i < kSums; ++i) {
    Sums own;
    #pragma unroll
    for (int e = 0; e < kSumElems; ++e) own.elem[e] = acc.elem[kSumElems * i + e];
    sums_of_thread[((thread / kDrainThreads - 1) * kSums + i) * kDrainThreads].word = own.word;
  }
}
__syncthreads();
if (thread < kDrainThreads) {
  #pragma unroll
  for (int other = 0; other < kPartsOfK - 1; ++other) {
    #pragma unroll
    for (int i = 0; i < kSums; ++i) {
      Sums theirs;
      theirs.word = sums_of_thread[(other * kSums + i) * kDrainThreads].word;
      #pragma unroll
      for (int e = 0; e < kSumElems; ++e) acc.elem[kSumElems * i + e] += theirs.elem[e];
    }
  }
  $[drain]
}

// mainloop/parts_of_k.cu (lanes): lanes that had other parts of K add what they have, two by two in a fixed order; the first
// of them drains.
//   needs: type Accum; FragmentC acc; int kAccumulators, kLanesOfK; int thread
#pragma unroll
for (int lane = 1; lane < 32; lane *= 2) {
  if ((kLanesOfK & lane) == 0) continue;
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i) acc.elem[i] += __shfl_xor_sync(0xffffffff, acc.elem[i], lane);
}
if ((thread & kLanesOfK) == 0) {
  $[drain]
}

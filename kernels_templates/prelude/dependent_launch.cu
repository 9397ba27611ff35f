// prelude/dependent_launch.cu: a kernel may begin while the one before it ends (sm_90). Until that one
// has ended and shown what it wrote, nothing that a run names may be touched.
//   gives: void wait_for_previous_kernel(), release_next_kernel()
__device__ __forceinline__ void wait_for_previous_kernel() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
// Lets the next kernel begin once every block has said so.
__device__ __forceinline__ void release_next_kernel() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

// prelude/dependent_launch.cu (ahead): rows of a matrix on their way from memory to the L2 cache, line by line. Nothing is read so
// early: what the kernel ahead still writes, it writes to the same cache.
//   needs: int kThreads
//   gives: void ask_ahead<>(const Elem*, int, int, long long, int, int, int)
// Of `rows` rows, at most kRows, the first `length` elements, at most kLength; a line holds kTogether rows, if it does not hold a
// part of one, and of each what kTiles blocks read. All that read the same take turns: those blocks, and `sharers` of each.
template <int kRows, int kLength, int kTogether, int kTiles, class Elem>
__device__ __forceinline__ void ask_ahead(const Elem* first, int rows, int length, long long ld, int tile, int sharer, int sharers) {
  constexpr int kElems = 128 / sizeof(Elem), kLines = (kLength + kElems - 1) / kElems;  // of a line; of a row
  constexpr int kAll = (kRows + kTogether - 1) / kTogether * kLines;
  for (int i = (sharer * kTiles + tile) * kThreads + threadIdx.x; i < kAll; i += sharers * kTiles * kThreads) {
    const int row = i / kLines * kTogether, column = i % kLines * kElems;
    if (row < rows && column < length)
      asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(first + row * ld + column)));
  }
}

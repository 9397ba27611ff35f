// mainloop/straight.cu (in the grid): the tile of this block, by its place in the grid.
//   gives: int matrix, tile_m, tile_n
const int tile_m = blockIdx.x, tile_n = blockIdx.y, matrix = blockIdx.z;

// mainloop/straight.cu (places): where this thread reads, as one address for each operand, which depends on nothing that is
// waited for. Compilers would advance an address for every load, of which operands along M and N have most: one for each
// element. That these are of global memory is said again: the assembly hides it.
//   needs: type ElemA, ElemB; const ElemA* a_source; const ElemB* b_source; int a_k_left, b_k_left
const void *a_global = a_source, *b_global = b_source;
asm volatile("" : "+l"(a_global), "+l"(b_global), "+r"(a_k_left), "+r"(b_k_left));
__builtin_assume(__isGlobal(a_global) && __isGlobal(b_global));
a_source = static_cast<const ElemA*>(a_global);
b_source = static_cast<const ElemB*>(b_global);

// mainloop/straight.cu (first drains): groups of threads that had other parts of K leave their sums in shared memory; the
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

// mainloop/straight.cu (lanes add): lanes that had other parts of K add what they have, two by two in a fixed order; the first
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

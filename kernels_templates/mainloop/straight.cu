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

// mainloop/straight.cu (products): all k-tiles.
//   needs: int k, kTileK; void load_a(), load_b(), multiply(int)
#pragma unroll 1
for (int k_tile = 0; k_tile < (k + kTileK - 1) / kTileK; ++k_tile) {
  load_a();
  load_b();
  $[settle]
  multiply(0);
}

// mainloop/straight.cu (from chunk): all rows of ${X} of which this thread has parts begin as far behind a chunk of 16 bytes. Whole
// chunks of them are multiplied from `first_k` up to `end_k`; what is ahead of these and behind, fewer elements than lanes
// share out K, comes one by one, a lane's `k_of_end`.
//   needs: type Elem${X}; unsigned past_chunk(const void*); const ElemA* a_source; const ElemB* b_source; int k
//   needs: int copy_${x}_k_base(int), thread
//   gives: int first_k, end_k, k_of_end, own_k
//   fills: room = 0
constexpr int kOfChunk = 16 / sizeof(Elem${X});
const int own_k = copy_${x}_k_base(thread);
int first_k = (kOfChunk - static_cast<int>(past_chunk(${x}_source) / sizeof(Elem${X}))) % kOfChunk;
$[behind]
const int end_k = first_k + max(k - ${room} - first_k, 0) / kOfChunk * kOfChunk;
const int k_of_end = own_k / kOfChunk + (own_k / kOfChunk < first_k ? 0 : end_k - first_k);

// mainloop/straight.cu (behind first): the chunk ahead of the first vector of ${X} lies in its row as well.
//   needs: type Elem${X}; unsigned past_chunk(const void*); const Elem${X}* ${x}_source; int kOfChunk; int first_k
if (static_cast<int>(past_chunk(${x}_source + first_k) / sizeof(Elem${X})) > first_k) first_k += kOfChunk;

// mainloop/straight.cu (end of row): this lane's element of each row of ${X} that no whole chunk holds; its chunks begin at `first_k`.
//   needs: type Elem${X}; const Elem${X}* ${x}_source; bool kWholeTiles${MN}; int kFragment${X}; int ${x}_k_left, ${x}_left, k
//   needs: int first_k, end_k, k_of_end, own_k; long long ld${x}; int copy_${x}_mn(int)
//   gives: Elem${X} ${x}_end[]
//   fills: place = i
Elem${X} ${x}_end[kFragment${X}];
#pragma unroll
for (int i = 0; i < kFragment${X}; ++i) {
  const int mn = copy_${x}_mn(${place});
  ${x}_end[i] = Elem${X}{};
  if (k_of_end < k && (kWholeTiles${MN} || mn < ${x}_left)) ${x}_end[i] = ${x}_source[mn * ld${x} + (k_of_end - own_k)];
}
${x}_source += first_k;
${x}_k_left = end_k - first_k - own_k;

// mainloop/straight.cu (products of chunks): whole chunks, k-tile by k-tile, then what came one by one.
//   needs: type FragmentA, FragmentB, FragmentC; FragmentC acc; ElemA a_end[]; ElemB b_end[]; int kFragmentA, kFragmentB, kRepeatN
//   needs: int first_k, end_k, kTileK; void load_a(), load_b(), multiply(int)
//   needs: void multiply_row(FragmentC&, const FragmentA&, const FragmentB&, int)
#pragma unroll 1
for (int k_tile = 0; k_tile < (end_k - first_k + kTileK - 1) / kTileK; ++k_tile) {
  load_a();
  load_b();
  $[settle]
  multiply(0);
}
FragmentA a_ends;
FragmentB b_ends;
#pragma unroll
for (int i = 0; i < kFragmentA; ++i) a_ends.elem[i] = a_end[i];
#pragma unroll
for (int i = 0; i < kFragmentB; ++i) b_ends.elem[i] = b_end[i];
#pragma unroll
for (int j = 0; j < kRepeatN; ++j) multiply_row(acc, a_ends, b_ends, j);

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

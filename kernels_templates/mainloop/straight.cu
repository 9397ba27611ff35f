// mainloop/straight.cu (in the grid): the tile of this block, by its place in the grid.
//   gives: int matrix, tile_m, tile_n
const int tile_m = blockIdx.x, tile_n = blockIdx.y, matrix = blockIdx.z;

// mainloop/straight.cu (batch first): likewise of a grid whose first axis is the batch.
//   gives: int matrix, tile_m, tile_n
const int tile_m = blockIdx.z, tile_n = blockIdx.y, matrix = blockIdx.x;

// mainloop/straight.cu (beside): likewise, where threads of a block have tiles of several matrices.
//   needs: int batch, kMatricesPerBlock, kTileThreads
//   gives: int matrix, tile_m, tile_n
const int tile_m = blockIdx.z, tile_n = blockIdx.y;
const int matrix = static_cast<int>(blockIdx.x) * kMatricesPerBlock + static_cast<int>(threadIdx.x) / kTileThreads;
if (matrix >= batch) return;

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
  $[ends]
}

// mainloop/straight.cu (products ahead): all k-tiles. What is stored of the next one is on its way while one is converted and multiplied.
//   needs: int k, kTileK; void load_a(), load_b(), multiply(int)
//   fills: if_any = if (k_tiles > 0)
const int k_tiles = (k + kTileK - 1) / kTileK;
${if_any}{
  $[ask]
}
#pragma unroll 1
for (int k_tile = 1; k_tile <= k_tiles; ++k_tile) {
  load_a();
  load_b();
  if (k_tile < k_tiles) {
    $[ask]
  }
  $[settle]
  multiply(0);
}

// mainloop/straight.cu (products of a ring): all k-tiles. What is stored of the next ones is on its way to stages, where each thread finds
// what it asked for itself: no thread waits for another.
//   needs: int k, kStages, kTileK; void commit_copies(), multiply(int), wait_copies<>()
const int k_tiles = (k + kTileK - 1) / kTileK;
for (int ahead = 0; ahead < kStages - 1; ++ahead) {
  if (ahead < k_tiles) {
    $[first]
  }
  commit_copies();
}
$[numbers]
int stage = 0;
#pragma unroll 1
for (int k_tile = 0; k_tile < k_tiles; ++k_tile) {
  $[others]
  wait_copies<kStages - 2>();
  $[load]
  if (k_tile + kStages - 1 < k_tiles) {
    const int left = stage == 0 ? kStages - 1 : stage - 1;
    $[ask]
  }
  commit_copies();
  $[numbers]
  $[settle]
  multiply(0);
  stage = stage + 1 == kStages ? 0 : stage + 1;
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
//   needs: type Elem${X}; const Elem${X}* ${x}_source; int kFragment${X}; int ${x}_k_left, ${x}_left, k
//   needs: int first_k, end_k, k_of_end, own_k; long long ld${x}; int copy_${x}_mn(int)
//   gives: Elem${X} ${x}_end[]
//   fills: place = i; in_line = mn < a_left &&
Elem${X} ${x}_end[kFragment${X}];
#pragma unroll
for (int i = 0; i < kFragment${X}; ++i) {
  const int mn = copy_${x}_mn(${place});
  ${x}_end[i] = Elem${X}{};
  if (${in_line}k_of_end < k) ${x}_end[i] = ${x}_source[mn * ld${x} + (k_of_end - own_k)];
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

// mainloop/straight.cu (line names): ${X}, whose chunks begin inside of its lines, and ${KEPT}, by names that do not say which is which.
// Lines lie along ${MN}, rows along ${OTHER}. And the sums of a tile's last lines.
//   needs: type Accum, Elem${X}, Fragment<>, Fragment${KEPT}, LineElem, RegisterC; int kEndSums; Elem${X} ${x}_ends[]; int ${x}_past, tile_${other}, ${other}
//   needs: int kEnds${X}, kReads${KEPT}, kRepeat${OTHER}, kTile${MN}, kTile${OTHER}; void feed_${kept}(Fragment${KEPT}&, int, int, int, int)
//   gives: int kEnds, kLines, kRows, kKeptReads, kKeptRepeats; int past, rows_left
//   gives: Elem${X} line_ends[]; void feed_kept(Fragment${KEPT}&, int, int, int, int)
//   gives: Fragment<Accum, kEndSums, RegisterC> end_acc
//   fills: kept = b; KEPT = B; other = n; OTHER = N
constexpr int kEnds = kEnds${X}, kLines = kTile${MN}, kRows = kTile${OTHER}, kKeptReads = kReads${KEPT}, kKeptRepeats = kRepeat${OTHER};
const int past = ${x}_past, rows_left = min(${other} - tile_${other} * kRows, kRows);
const auto& line_ends = ${x}_ends;
const auto& feed_kept = feed_${kept};
Fragment<Accum, kEndSums, RegisterC> end_acc;
#pragma unroll
for (int i = 0; i < kEndSums; ++i) end_acc.elem[i] = 0;

// mainloop/straight.cu (line products): what the last lines of a k-tile, which its chunks do not hold, make with the rows.
//   needs: type Accum, Fragment<>, KeptFragment, LineElem, LineRegister, RegisterA, RegisterB, RegisterC; LineElem line_ends[]
//   needs: Fragment<Accum, kEndSums, RegisterC> end_acc; int kKSteps, kAtomRegistersA, kAtomRegistersB, kAtomRegistersC
//   needs: int kEndRepeats, kEnds, kKeptReads, kKeptRepeats, kRepeatM; void feed_kept(KeptFragment&, int, int, int, int)
//   needs: void mma(RegisterC*, const RegisterA*, const RegisterB*)
//   fills: sum = i + kRepeatM * j; factors = kept.reg + kAtomRegistersA * i, end.reg + kAtomRegistersB * j
#pragma unroll
for (int k_step = 0; k_step < kKSteps; ++k_step) {
  constexpr int kOfStep = kEnds / kKSteps;
  Fragment<LineElem, kOfStep, LineRegister> end;
  #pragma unroll
  for (int i = 0; i < kOfStep; ++i) end.elem[i] = line_ends[k_step * kOfStep + i];
  KeptFragment kept;
  feed_kept(kept, 0, k_step, 0, kKeptReads);
  #pragma unroll
  for (int i = 0; i < kKeptRepeats; ++i)
    #pragma unroll
    for (int j = 0; j < kEndRepeats; ++j) mma(end_acc.reg + kAtomRegistersC * (${sum}), ${factors});
}

// mainloop/straight.cu (lines leave): lanes that had other parts of K add what they have, two by two. Groups of threads that had have sums of
// lines that begin elsewhere: all leave theirs in shared memory, by line.
//   needs: type Accum; FragmentC acc; Fragment<Accum, kEndSums, RegisterC> end_acc; unsigned char* smem; int past, rows_left, thread
//   needs: int kAccumulators, kDrainThreads, kEndSums, kLanesOfK, kLines, kOfLineChunk, kPitchOfLines, kRows
//   needs: int end_sum_m(int), end_sum_m_base(int), end_sum_n(int), end_sum_n_base(int)
//   needs: int out_acc(int), out_m(int), out_m_base(int), out_n(int), out_n_base(int)
//   gives: Accum* sums; int kOfGroup; int place(int, int), line_of(int), row_of(int)
//   fills: mn = m; other = n
#pragma unroll
for (int lane = 1; lane < 32; lane *= 2) {
  if ((kLanesOfK & lane) == 0) continue;
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i) acc.elem[i] += __shfl_xor_sync(0xffffffff, acc.elem[i], lane);
  #pragma unroll
  for (int i = 0; i < kEndSums; ++i) end_acc.elem[i] += __shfl_xor_sync(0xffffffff, end_acc.elem[i], lane);
}
Accum* const sums = reinterpret_cast<Accum*>(smem);
constexpr int kOfGroup = kRows * kPitchOfLines;
const int in_group = thread % kDrainThreads;
const auto place = [](int line, int row) { return row * kPitchOfLines + line + line / kOfLineChunk; };
const auto line_of = [&](int i) { return out_${mn}_base(in_group) + out_${mn}(i); };
const auto row_of = [&](int i) { return out_${other}_base(in_group) + out_${other}(i); };
if ((thread & kLanesOfK) == 0) {
  Accum* const own = sums + thread / kDrainThreads * kOfGroup;
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i) {
    const int line = line_of(i) - past, row = row_of(i), at = place(line, row);
    if (line >= 0 && row < rows_left) own[at] = acc.elem[out_acc(i)];
  }
  #pragma unroll
  for (int i = 0; i < kEndSums; ++i) {
    const int end = end_sum_${mn}_base(in_group) + end_sum_${mn}(i), row = end_sum_${other}_base(in_group) + end_sum_${other}(i);
    if (end < past && row < rows_left) own[place(kLines - past + end, row)] = end_acc.elem[i];
  }
}

// mainloop/straight.cu (lines meet): all threads add what groups have left, in the order of these; the first group drains the tile.
//   needs: type Accum; FragmentC acc; Accum* sums; int kAccumulators, kDrainThreads, kLanesOfK, kLines, kOfGroup, kPartsOfK, kThreads
//   needs: int rows_left, thread; int line_of(int), out_acc(int), place(int, int), row_of(int)
__syncthreads();
for (int i = thread; i < rows_left * kLines; i += kThreads) {
  Accum* const sum = sums + place(i % kLines, i / kLines);
  Accum whole = sum[0];
  #pragma unroll
  for (int group = 1; group < kPartsOfK; ++group) whole += sum[group * kOfGroup];
  sum[0] = whole;
}
__syncthreads();
if (thread < kDrainThreads && (thread & kLanesOfK) == 0) {
  #pragma unroll
  for (int i = 0; i < kAccumulators; ++i)
    if (row_of(i) < rows_left) acc.elem[out_acc(i)] = sums[place(line_of(i), row_of(i))];
  $[drain]
}

// move/view.cu: ${X} as its View has it, a few chunks of 16 bytes of a row of its copy a thread, all read before one is written.
//   needs: type Elem${X}, Part${X}, Move${X}; int kThreads, kViewedChunks
//   needs: uint4 read_${x}(const Move${X}&, ${taken}unsigned, unsigned, unsigned); void put_chunk_${x}(const Move${X}&, Part${X}*, uint4)
//   gives: void move_${x}(const Move${X}&, ${taken}unsigned)
//   fills: its = it; numbers = ; taken = ; segments = 8
__device__ __forceinline__ void move_${x}(const Move${X}& it, ${numbers}unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X}), kChunks = kViewedChunks;
  constexpr unsigned kSegments = ${segments};  // threads of a row, if this run copies as many columns as were planned
  const unsigned long long thread = block * 1ull * kThreads + threadIdx.x;
  const unsigned long long of_all = it.segments == kSegments ? thread / kSegments : thread / it.segments;
  if (of_all >= it.rows) return;
  const unsigned matrix = it.rows == it.outer ? 0 : of_all / it.outer, row = of_all - matrix * 1ull * it.outer;
  const unsigned first = (thread - of_all * it.segments) * kElems, next = it.segments * kElems;
  Part${X}* const to = it.target + matrix * it.batch_stride_target + row * it.ld_target;
  uint4 read[kChunks];
  #pragma unroll
  for (int i = 0; i < kChunks; ++i) read[i] = read_${x}(${its}, row, first + i * next, matrix);
  #pragma unroll
  for (int i = 0; i < kChunks; ++i)
    if (first + i * next < it.inner) put_chunk_${x}(it, to + first + i * next, read[i]);
}

// move/view.cu (elements): a chunk of ${X}'s copy, each element from where it lies.
//   needs: type Elem${X}, Move${X}, Vector<>; long long element_${x}(${taken}unsigned, unsigned, unsigned)
//   gives: uint4 read_${x}(const Move${X}&, ${taken}unsigned, unsigned, unsigned)
//   fills: place = row, place; numbers = ; taken =
__device__ __forceinline__ uint4 read_${x}(const Move${X}& it, ${numbers}unsigned row, unsigned first, unsigned matrix) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  Vector<Elem${X}, kElems> read;
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    const unsigned place = first + e;
    const long long at = place < it.inner ? element_${x}(${place}, matrix) : -1;
    read.elem[e] = at < 0 ? Elem${X}{} : it.source[at];
  }
  return read.word;
}

// move/view.cu (runs): a chunk of ${X}'s copy, so many elements at once that lie side by side.
//   needs: type Elem${X}, Move${X}, Vector<>, Word<>; long long element_${x}(unsigned, unsigned, unsigned); Vec load_vector<>(const Elem*, int)
//   gives: uint4 read_${x}(const Move${X}&, unsigned, unsigned, unsigned)
//   fills: place = row, place; run = 2
__device__ __forceinline__ uint4 read_${x}(const Move${X}& it, unsigned row, unsigned first, unsigned matrix) {
  constexpr int kElems = 16 / sizeof(Elem${X}), kRun = ${run};
  union {
    uint4 word;
    typename Word<kRun * sizeof(Elem${X})>::type run[kElems / kRun];
  } read;
  #pragma unroll
  for (int e = 0; e < kElems; e += kRun) {
    const unsigned place = first + e;
    const long long at = place < it.inner ? element_${x}(${place}, matrix) : -1;
    read.run[e / kRun] = load_vector<Vector<Elem${X}, kRun>>(it.source + at, at < 0 ? 0 : it.inner - place).word;
  }
  return read.word;
}

// move/view.cu (steps): a chunk of ${X}'s copy, whose neighbours lie a few elements apart: whole chunks are read, but of the
// last neighbours, behind which memory may end.
//   needs: type Elem${X}, Move${X}, Vector<>; long long element_${x}(unsigned, unsigned, unsigned)
//   gives: uint4 read_${x}(const Move${X}&, unsigned, unsigned, unsigned)
//   fills: place = row, place; step = 3; within = first; extent = it.inner
__device__ __forceinline__ uint4 read_${x}(const Move${X}& it, unsigned row, unsigned first, unsigned matrix) {
  constexpr int kElems = 16 / sizeof(Elem${X}), kStep = ${step};
  Vector<Elem${X}, kElems> read;
  if (${within} + kElems < ${extent} && first + kElems < it.inner) {
    const unsigned place = first;
    const uint4* const from = reinterpret_cast<const uint4*>(it.source + element_${x}(${place}, matrix));
    union {
      uint4 chunk[kStep];
      Elem${X} elem[kStep * kElems];
    } all;
    #pragma unroll
    for (int i = 0; i < kStep; ++i) all.chunk[i] = __ldcs(from + i);
    #pragma unroll
    for (int e = 0; e < kElems; ++e) read.elem[e] = all.elem[e * kStep];
  } else {
    #pragma unroll
    for (int e = 0; e < kElems; ++e) {
      const unsigned place = first + e;
      read.elem[e] = place < it.inner ? it.source[element_${x}(${place}, matrix)] : Elem${X}{};
    }
  }
  return read.word;
}

// move/view.cu (out): what the product has left of ${X} to where its View has it, a chunk of 16 bytes a thread.
//   needs: type Elem${X}, Move${X}, Vector<>, Word<>; int kThreads; long long element_${x}(${taken}unsigned, unsigned, unsigned)
//   needs: void put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: void move_${x}(const Move${X}&, ${taken}unsigned)
//   fills: place = row, place; numbers = ; taken = ; run = 1
__device__ __forceinline__ void move_${x}(const Move${X}& it, ${numbers}unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X}), kRun = ${run};
  const unsigned long long chunk = block * 1ull * kThreads + threadIdx.x, of_all = chunk / it.segments;
  if (of_all >= it.rows) return;
  const unsigned matrix = of_all / it.outer, row = of_all % it.outer, first = chunk % it.segments * kElems;
  union {
    uint4 word;
    typename Word<kRun * sizeof(Elem${X})>::type run[kElems / kRun];
  } all;
  all.word = *reinterpret_cast<const uint4*>(it.source + matrix * it.batch_stride_source + row * it.ld_source + first);
  #pragma unroll
  for (int e = 0; e < kElems; e += kRun) {
    const unsigned place = first + e;
    Vector<Elem${X}, kRun> part;
    part.word = all.run[e / kRun];
    if (place < it.inner) put_vector(it.target + element_${x}(${place}, matrix), part, it.inner - place);
  }
}

// move/view.cu (turn): ${X}'s blocks.
//   needs: type Elem${X}, Part${X}, Move${X}; const Elem${X}* ${x}_source; Part${X}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride, ${x}_ld; unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block
//   needs: void move_${x}(const Move${X}&, ${taken}unsigned)
//   fills: term_stride = 0; unless = ; numbers = ; taken =
if (block < ${x}_blocks) {
  $[unless]
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments,
          ${x}_ld, ${x}_ld, ${x}_batch_stride, ${x}_batch_stride, ${term_stride}}, ${numbers}block);
  return;
}

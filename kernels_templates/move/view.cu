// move/view.cu: ${X} as its View has it, a chunk of 16 bytes of its copy a thread.
//   needs: type Elem${X}, Part${X}, Move${X}, Vector<>; int kThreads
//   needs: long long element_${x}(${taken}unsigned, unsigned, unsigned)
//   needs: void put_chunk_${x}(const Move${X}&, Part${X}*, uint4)
//   gives: void move_${x}(const Move${X}&, ${taken}unsigned)
//   fills: place = row, place; numbers = ; taken =
__device__ __forceinline__ void move_${x}(const Move${X}& it, ${numbers}unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const unsigned long long chunk = block * 1ull * kThreads + threadIdx.x, of_all = chunk / it.segments;
  if (of_all >= it.rows) return;
  const unsigned matrix = of_all / it.outer, row = of_all % it.outer, first = chunk % it.segments * kElems;
  Vector<Elem${X}, kElems> read;
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    const unsigned place = first + e;
    const long long at = place < it.inner ? element_${x}(${place}, matrix) : -1;
    read.elem[e] = at < 0 ? Elem${X}{} : it.source[at];
  }
  put_chunk_${x}(it, it.target + matrix * it.batch_stride_target + row * it.ld_target + first, read.word);
}

// move/view.cu (out): what the product has left of ${X} to where its View has it, a chunk of 16 bytes a thread.
//   needs: type Elem${X}, Move${X}, Vector<>; int kThreads; long long element_${x}(${taken}unsigned, unsigned, unsigned)
//   gives: void move_${x}(const Move${X}&, ${taken}unsigned)
//   fills: place = row, place; numbers = ; taken =
__device__ __forceinline__ void move_${x}(const Move${X}& it, ${numbers}unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const unsigned long long chunk = block * 1ull * kThreads + threadIdx.x, of_all = chunk / it.segments;
  if (of_all >= it.rows) return;
  const unsigned matrix = of_all / it.outer, row = of_all % it.outer, first = chunk % it.segments * kElems;
  Vector<Elem${X}, kElems> part;
  part.word = *reinterpret_cast<const uint4*>(it.source + matrix * it.batch_stride_source + row * it.ld_source + first);
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    const unsigned place = first + e;
    if (place < it.inner) it.target[element_${x}(${place}, matrix)] = part.elem[e];
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
block -= ${x}_blocks;

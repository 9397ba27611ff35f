// move/convert.cu: an operand whose elements become another number on their way.
//   gives: type BlockNumbers, Converted<>
struct BlockNumbers {
  const void* base;
  long long inner, outer, batch;  // elements from one number to the next
};

template <class Elem, class Part>
struct Converted {
  const Elem* source;
  Part* target;
  int inner, outer;         // elements of a row of the copy, rows of a matrix
  unsigned rows, segments;  // of all matrices; of a row
  long long ld_target, batch_stride_target, batch_stride_source, inner_source, outer_source;
  BlockNumbers scale, zero;
};

// move/convert.cu (number): an element as a number.
//   needs: type ${type}; ${number} to_compute(${type})
//   gives: float number_at(const ${type}*, long long)
//   fills: type = e4m3; number = float
__device__ __forceinline__ float number_at(const ${type}* from, long long at) { return static_cast<float>(to_compute(from[at])); }

// move/convert.cu (half): the same of 4 bits, which lie two in a byte.
//   needs: type ${type}; ${number} to_compute(${type})
//   gives: float number_at(const ${type}*, long long)
//   fills: type = s4; number = int
__device__ __forceinline__ float number_at(const ${type}* from, long long at) {
  ${type} half = from[at / 2];
  half.bits = at % 2 != 0 ? half.bits >> 4 : half.bits & 0xf;
  return static_cast<float>(to_compute(half));
}

// move/convert.cu (operand): ${X} as what its elements count as, a chunk of 16 bytes of its copy a thread.
//   needs: type Vector<>, Converted<>; int kThreads
//   needs: float number_at(const ${type}*, long long); void from_compute(float, ${part}*)
//   gives: void move_${x}(const Converted<${type}, ${part}>&, unsigned)
//   fills: element = row + place; type = e4m3; part = bf16
__device__ __forceinline__ void move_${x}(const Converted<${type}, ${part}>& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(${part});
  const unsigned long long chunk = block * 1ull * kThreads + threadIdx.x, of_all = chunk / it.segments;
  if (of_all >= it.rows) return;
  const unsigned matrix = of_all / it.outer, row = of_all % it.outer, first = chunk % it.segments * kElems;
  Vector<${part}, kElems> made;
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    const unsigned place = first + e;
    const long long at = place < it.inner ? ${element} : -1;
    float value = 0;
    if (at >= 0) {
      value = number_at(it.source, at);
      $[value]
    }
    from_compute(value, made.elem + e);
  }
  *reinterpret_cast<uint4*>(it.target + matrix * it.batch_stride_target + row * it.ld_target + first) = made.word;
}

// move/convert.cu (turn): ${X}'s blocks.
//   needs: const ${type}* ${x}_source; ${part}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride, ${x}_ld, ${x}_batch_stride_source, ${x}_inner_source, ${x}_outer_source
//   needs: unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block; void move_${x}(const Converted<${type}, ${part}>&, unsigned)
//   fills: scale = {}; zero = {}; type = e4m3; part = bf16
if (block < ${x}_blocks) {
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments, ${x}_ld, ${x}_batch_stride,
          ${x}_batch_stride_source, ${x}_inner_source, ${x}_outer_source, ${scale}, ${zero}}, block);
  return;
}
block -= ${x}_blocks;

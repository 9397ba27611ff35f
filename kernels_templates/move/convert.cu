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
  long long ld, batch_stride_target, batch_stride_source, inner_source, outer_source;
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
  *reinterpret_cast<uint4*>(it.target + matrix * it.batch_stride_target + row * it.ld + first) = made.word;
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

// move/convert.cu (scaled): what the product has left of D, as what it becomes with the largest magnitudes, as many neighbours of
// D a thread as it stores at once.
//   needs: type Compute, ElemD, Vector<>; const Compute* d_most; const Compute* d_values; ElemD* d; int d_inner, d_outer, kThreads
//   needs: long long batch_stride_d, d_batch_stride, d_ld, d_lines, ldd; unsigned d_blocks, d_rows, d_segments, block
//   needs: void from_compute(Compute, ElemD*), put_vector<>(Elem*, const Vector<Elem, kElems>&, int)
//   gives: int at, e, part; unsigned first, matrix, row
//   fills: elems = 4; line = row; value = acc / block_most
if (block < d_blocks) {
  constexpr int kElems = ${elems}, kRead = kElems < 4 ? kElems : 4;
  const unsigned long long chunk = block * 1ull * kThreads + threadIdx.x, of_all = chunk / d_segments;
  if (of_all >= d_rows) return;
  const unsigned matrix = of_all / d_outer, row = of_all % d_outer, first = chunk % d_segments * kElems;
  const Compute* const from = d_values + matrix * d_batch_stride + row * d_ld + first;
  Vector<ElemD, kElems> made;
  #pragma unroll
  for (int part = 0; part < kElems; part += kRead) {
    Vector<Compute, kRead> read;
    read.word = *reinterpret_cast<const decltype(read.word)*>(from + part);
    #pragma unroll
    for (int e = 0; e < kRead; ++e) {
      const int at = first + part + e;
      if (at >= d_inner) continue;
      const Compute acc = read.elem[e], block_most = d_most[matrix * d_lines + ${line}];
      $[lines]
      from_compute(${value}, made.elem + part + e);
      $[outputs]
    }
  }
  put_vector(d + matrix * batch_stride_d + row * ldd + first, made, static_cast<int>(d_inner - first));
  return;
}
block -= d_blocks;

// move/convert.cu (of a block): ${name}, a number a block of D.
//   needs: type Compute, ElemOut${place}; ElemOut${place}* out${place}; int at; long long batch_stride_out${place}; unsigned matrix, row
//   needs: void from_compute(Compute, ElemOut${place}*)
//   fills: name = scale_d; place = 2; first = row == 0; line = row; value = 1.f
if (${first}) from_compute(${value}, out${place} + matrix * batch_stride_out${place} + ${line});

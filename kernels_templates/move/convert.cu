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

// move/convert.cu (walk): a warp takes ${chunks} times 32 chunks of 16 bytes of a row of the copy, side by side.
//   gives: type ConvertedWalk<>
//   fills: chunks = 4
template <class Part>
struct ConvertedWalk {
  static constexpr int kElems = 16 / sizeof(Part), kChunks = ${chunks}, kStep = 32 * kElems;
  unsigned of_all, matrix, row, first;  // of the rows of all matrices; the thread's first element in its row
  __device__ __forceinline__ ConvertedWalk(unsigned warp, unsigned segments, unsigned outer) {
    of_all = warp / segments;
    matrix = of_all / outer;
    row = of_all - matrix * outer;
    first = ((warp - of_all * segments) * kChunks * 32 + threadIdx.x % 32) * kElems;
  }
};

// move/convert.cu (operand): ${X} as what its elements count as, one by one.
//   needs: type Vector<>, Converted<>, ConvertedWalk<>; int kThreads
//   needs: float number_at(const ${type}*, long long); void from_compute(float, ${part}*)
//   gives: void move_${x}(const Converted<${type}, ${part}>&, unsigned); float value
//   fills: element = row + place; type = e4m3; part = bf16
__device__ __forceinline__ void move_${x}(const Converted<${type}, ${part}>& it, unsigned block) {
  const ConvertedWalk<${part}> walk(block * (kThreads / 32) + threadIdx.x / 32, it.segments, it.outer);
  constexpr int kElems = walk.kElems;
  if (walk.of_all >= it.rows) return;
  const unsigned matrix = walk.matrix, row = walk.row;
  unsigned first = walk.first;
  #pragma unroll 1
  for (int i = 0; i < walk.kChunks && first < it.inner; ++i, first += walk.kStep) {
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
}

// move/convert.cu (words): ${X} as what its elements count as: each chunk from a word, all of them and their blocks' numbers asked for
// before the first is converted; zero past the edge.
//   needs: type ${part}, ${type}, Vector<>, Converted<>, ConvertedWalk<>; int kThreads; Vec load_vector<>(const Elem*, int)
//   gives: void move_${x}(const Converted<${type}, ${part}>&, unsigned)
//   gives: const unsigned* words; unsigned* chunk; int kOfWord, kWords
//   fills: type = e4m3; part = bf16; bits = 8
__device__ __forceinline__ void move_${x}(const Converted<${type}, ${part}>& it, unsigned block) {
  const ConvertedWalk<${part}> walk(block * (kThreads / 32) + threadIdx.x / 32, it.segments, it.outer);
  constexpr int kElems = walk.kElems, kChunks = walk.kChunks, kOfWord = 32 / ${bits}, kWords = kElems / kOfWord;
  if (walk.of_all >= it.rows) return;
  const unsigned matrix = walk.matrix, row = walk.row;
  const ${type}* const source = it.source + ((matrix * it.batch_stride_source + row * it.outer_source) * ${bits} >> 3);
  ${part}* const target = it.target + matrix * it.batch_stride_target + row * it.ld;
  Vector<${type}, 4 * kWords> stored[kChunks];
  $[held]
  #pragma unroll
  for (int i = 0; i < kChunks; ++i) {
    const unsigned first = walk.first + i * walk.kStep, place = min(first, it.inner - 1u);
    if (first + kElems <= it.inner) stored[i].word = *reinterpret_cast<const decltype(stored[i].word)*>(source + first / (8 / ${bits}));
    $[load]
  }
  #pragma unroll
  for (int i = 0; i < kChunks; ++i) {
    const unsigned first = walk.first + i * walk.kStep;
    if (first >= it.inner) continue;
    const bool is_last = first + kElems > it.inner;
    if (is_last) stored[i] = load_vector<Vector<${type}, 4 * kWords>>(source + first / (8 / ${bits}), (it.inner - first) * ${bits} + 7 >> 3);
    Vector<${part}, kElems> made;
    const unsigned* const words = stored[i].part;
    unsigned* const chunk = made.part;
    $[convert]
    if (is_last) {
      #pragma unroll
      for (int e = 0; e < kElems; ++e)
        if (first + e >= it.inner) made.elem[e] = {};
    }
    *reinterpret_cast<uint4*>(target + first) = made.word;
  }
}

// move/convert.cu (pairs): a chunk two neighbours at a time in the copy's type.
//   needs: const unsigned* words; unsigned* chunk; int kOfWord, kWords; void pairs_of_${type}(unsigned, unsigned*)
//   gives: unsigned pair
//   fills: type = e5m2
$[numbers]
#pragma unroll
for (int word = 0; word < kWords; ++word) {
  unsigned pairs[kOfWord / 2];
  pairs_of_${type}(words[word], pairs);
  #pragma unroll
  for (int p = 0; p < kOfWord / 2; ++p) {
    unsigned& pair = pairs[p];
    $[value]
    chunk[word * kOfWord / 2 + p] = pair;
  }
}

// move/convert.cu (floats): a chunk's elements in f32, rounded two by two.
//   needs: const unsigned* words; unsigned* chunk; int kOfWord, kWords
//   needs: void floats_of_${type}(unsigned, float*); unsigned rounded_pair(float, float)
//   gives: float value
//   fills: type = e5m2
$[numbers]
#pragma unroll
for (int word = 0; word < kWords; ++word) {
  float values[kOfWord];
  floats_of_${type}(words[word], values);
  #pragma unroll
  for (int e = 0; e < kOfWord; ++e) {
    float& value = values[e];
    $[value]
    if (e % 2 == 1) chunk[(word * kOfWord + e) / 2] = rounded_pair(values[e - 1], value);
  }
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

// move/convert.cu (of a block): ${name}, a number a block of D.
//   needs: type Compute, ElemOut${place}; ElemOut${place}* out${place}; int at; long long batch_stride_out${place}; unsigned matrix, row
//   needs: void from_compute(Compute, ElemOut${place}*)
//   fills: name = scale_d; place = 2; first = row == 0; line = row; value = 1.f
if (${first}) from_compute(${value}, out${place} + matrix * batch_stride_out${place} + ${line});

// move/operand.cu: one operand and its copy; `inner` and `outer` are the copy's.
//   gives: type Move<>; uint4 chunk_of_lane(uint4, int)
template <class Elem, class Part>
struct Move {
  const Elem* source;
  Part* target;
  int inner, outer;         // elements of a row, rows of a matrix
  unsigned rows, segments;  // of all matrices; of a row
  long long ld_source, ld_target, batch_stride_source, batch_stride_target, term_stride;
};

// What the lane has.
__device__ __forceinline__ uint4 chunk_of_lane(uint4 chunk, int lane) {
  return make_uint4(__shfl_sync(0xffffffff, chunk.x, lane), __shfl_sync(0xffffffff, chunk.y, lane),
                    __shfl_sync(0xffffffff, chunk.z, lane), __shfl_sync(0xffffffff, chunk.w, lane));
}

// move/operand.cu (begin): the product may begin as soon as every block of this kernel has; for what it reads it waits itself.
//   needs: void release_next_kernel(), wait_for_previous_kernel()
release_next_kernel();
wait_for_previous_kernel();

// move/operand.cu (stores): what is read of ${X} is what its copy has.
//   needs: type Elem${X}, Part${X}, Move${X}
//   gives: void put_chunk_${x}(const Move${X}&, Part${X}*, uint4), put_elem_${x}(const Move${X}&, Part${X}*, Elem${X})
__device__ __forceinline__ void put_chunk_${x}(const Move${X}& it, Part${X}* to, uint4 chunk) { *reinterpret_cast<uint4*>(to) = chunk; }
__device__ __forceinline__ void put_elem_${x}(const Move${X}& it, Part${X}* to, Elem${X} elem) { *to = elem; }

// move/operand.cu (turn): ${X}'s blocks.
//   needs: type Elem${X}, Part${X}, Move${X}; const Elem${X}* ${x}_source; Part${X}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride_source, ${x}_batch_stride_target, ${x}_ld_source, ${x}_ld_target
//   needs: unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block; void move_${x}(const Move${X}&, unsigned)
if (block < ${x}_blocks) {
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments,
          ${x}_ld_source, ${x}_ld_target, ${x}_batch_stride_source, ${x}_batch_stride_target}, block);
  return;
}

// move/operand.cu (terms): elements of ${X}, which are f32, as sums of terms, each the rest rounded to what it keeps of an f32's bits.
// What is not finite waits for the last term, which is multiplied by first terms alone: the terms before it are 1 then, so
// that every product is the one that f32 gives.
//   needs: type Elem${X}, Part${X}, Move${X}, Vector<>
//   gives: void put_chunk_${x}(const Move${X}&, Part${X}*, uint4), put_elem_${x}(const Move${X}&, Part${X}*, Elem${X})
//   fills: terms = 2; dropped = 13
__device__ __forceinline__ bool is_finite_${x}(unsigned bits) { return bits << 1 < 0xff000000u; }

// To nearest, but never beyond the finite.
__device__ __forceinline__ unsigned rounded_${x}(unsigned bits) {
  constexpr unsigned kKept = ~0u << ${dropped}, kHalf = 1u << (${dropped} - 1);
  const unsigned nearest = (bits + kHalf) & kKept;
  return is_finite_${x}(bits) && is_finite_${x}(nearest) ? nearest : bits & kKept;
}

template <int kElems>
__device__ __forceinline__ void put_terms_${x}(const Move${X}& it, Part${X}* to, const unsigned (&elem)[kElems]) {
  constexpr int kTerms = ${terms}, kUnstored = 32 - 8 * static_cast<int>(sizeof(Part${X}));
  float rest[kElems];
  #pragma unroll
  for (int e = 0; e < kElems; ++e) rest[e] = __uint_as_float(elem[e]);
  #pragma unroll
  for (int term = 0; term < kTerms; ++term) {
    Vector<Part${X}, kElems> terms;
    #pragma unroll
    for (int e = 0; e < kElems; ++e) {
      const unsigned bits = __float_as_uint(rest[e]), one = 0x3f800000u | (bits & 0x80000000u);
      const unsigned mine = term == kTerms - 1 || is_finite_${x}(bits) ? rounded_${x}(bits) : one;
      terms.elem[e] = static_cast<Part${X}>(mine >> kUnstored);
      rest[e] -= __uint_as_float(mine);
    }
    *reinterpret_cast<decltype(terms.word)*>(to + term * it.term_stride) = terms.word;
  }
}
__device__ __forceinline__ void put_chunk_${x}(const Move${X}& it, Part${X}* to, uint4 chunk) {
  const unsigned elem[4] = {chunk.x, chunk.y, chunk.z, chunk.w};
  put_terms_${x}(it, to, elem);
}
__device__ __forceinline__ void put_elem_${x}(const Move${X}& it, Part${X}* to, Elem${X} elem) {
  const unsigned one[1] = {static_cast<unsigned>(elem)};
  put_terms_${x}(it, to, one);
}

// move/operand.cu (turn of terms): ${X}'s blocks, and from where to where its terms lie.
//   needs: type Elem${X}, Part${X}, Move${X}; const Elem${X}* ${x}_source; Part${X}* ${x}_target; int ${x}_inner, ${x}_outer
//   needs: long long ${x}_batch_stride_source, ${x}_batch_stride_target, ${x}_ld_source, ${x}_ld_target, ${x}_term_stride
//   needs: unsigned ${x}_blocks, ${x}_rows, ${x}_segments, block; void move_${x}(const Move${X}&, unsigned)
if (block < ${x}_blocks) {
  move_${x}({${x}_source, ${x}_target, ${x}_inner, ${x}_outer, ${x}_rows, ${x}_segments,
          ${x}_ld_source, ${x}_ld_target, ${x}_batch_stride_source, ${x}_batch_stride_target, ${x}_term_stride}, block);
  return;
}

// move/transposed.cu: ${X} along its other dimension, a square of 16 bytes by 16 bytes a thread: it reads rows of the
// source and writes rows of the copy. Eight lanes write a whole line, four read half of one.
//   needs: type Elem${X}, Part${X}, Move${X}; void exchange_${x}(unsigned*, const uint4*)
//   needs: void put_chunk_${x}(const Move${X}&, Part${X}*, uint4)
//   needs: uint4 chunk_${x}(const Elem${X}*), edge_${x}(const Elem${X}*, int)
//   gives: void move_${x}(const Move${X}&, unsigned)
//   fills: whole = outer + kElems <= it.outer
__device__ __forceinline__ void move_${x}(const Move${X}& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const unsigned tiles = (it.outer + 8 * kElems - 1) / (8 * kElems), strips = (it.inner + 16 * kElems - 1) / (16 * kElems);
  const unsigned matrix = block / (tiles * strips), tile = block % tiles, strip = block / tiles % strips;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int outer = (tile * 8 + warp % 2 * 4 + lane % 4) * kElems, inner = (strip * 16 + warp / 2 * 8 + lane / 4) * kElems;
  if (outer >= it.outer || inner >= it.inner) return;
  const Elem${X}* const from = it.source + matrix * it.batch_stride_source + inner * it.ld_source + outer;
  Part${X}* const to = it.target + matrix * it.batch_stride_target + outer * it.ld_target + inner;

  uint4 read[kElems];
  const bool is_inside = inner + kElems <= it.inner && ${whole};
  if (is_inside) {
    #pragma unroll
    for (int e = 0; e < kElems; ++e) read[e] = chunk_${x}(from + e * it.ld_source);
  } else {
    #pragma unroll
    for (int e = 0; e < kElems; ++e) read[e] = edge_${x}(from + e * it.ld_source, inner + e < it.inner ? it.outer - outer : 0);
  }
  unsigned out[4 * kElems];
  exchange_${x}(out, read);
  #pragma unroll
  for (int e = 0; e < kElems; ++e)
    if (outer + e < it.outer)
      put_chunk_${x}(it, to + e * it.ld_target, make_uint4(out[4 * e], out[4 * e + 1], out[4 * e + 2], out[4 * e + 3]));
}

// move/transposed.cu (aligned chunk): 16 bytes of ${X}, whose rows have nothing but whole chunks.
//   needs: type Elem${X}
//   gives: uint4 chunk_${x}(const Elem${X}*)
__device__ __forceinline__ uint4 chunk_${x}(const Elem${X}* from) { return __ldcs(reinterpret_cast<const uint4*>(from)); }

// move/transposed.cu (shifted chunk): 16 bytes of ${X} that begin anywhere: those of the two chunks around them.
//   needs: type Elem${X}; uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*)
//   gives: uint4 chunk_${x}(const Elem${X}*)
__device__ __forceinline__ uint4 chunk_${x}(const Elem${X}* from) {
  const unsigned past = past_chunk(from);
  const uint4* const chunks = reinterpret_cast<const uint4*>(from - past / sizeof(Elem${X}));
  return chunk_behind(chunks[0], chunks[1], past);
}

// move/transposed.cu (edge): 16 bytes of ${X} that may not all be its: zeros behind the valid ones.
//   needs: type Elem${X}, Vector<>
//   gives: uint4 edge_${x}(const Elem${X}*, int)
__device__ __forceinline__ uint4 edge_${x}(const Elem${X}* from, int valid) {
  Vector<Elem${X}, 16 / sizeof(Elem${X})> piece;
  #pragma unroll
  for (int e = 0; e < piece.kCount; ++e) piece.elem[e] = e < valid ? from[e] : Elem${X}{};
  return piece.word;
}

// move/transposed.cu (bytes): sixteen chunks of sixteen bytes each, rows for columns, by permutes of four bytes by four.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_four_${x}(unsigned* out, unsigned first, unsigned second, unsigned third, unsigned fourth) {
  const unsigned low = __byte_perm(first, second, 0x5140), high = __byte_perm(first, second, 0x7362);
  const unsigned low_behind = __byte_perm(third, fourth, 0x5140), high_behind = __byte_perm(third, fourth, 0x7362);
  out[0] = __byte_perm(low, low_behind, 0x5410);
  out[4] = __byte_perm(low, low_behind, 0x7632);
  out[8] = __byte_perm(high, high_behind, 0x5410);
  out[12] = __byte_perm(high, high_behind, 0x7632);
}
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  #pragma unroll
  for (int four = 0; four < 4; ++four) {
    const uint4 *const row = rows + 4 * four;
    exchange_four_${x}(out + four, row[0].x, row[1].x, row[2].x, row[3].x);
    exchange_four_${x}(out + 16 + four, row[0].y, row[1].y, row[2].y, row[3].y);
    exchange_four_${x}(out + 32 + four, row[0].z, row[1].z, row[2].z, row[3].z);
    exchange_four_${x}(out + 48 + four, row[0].w, row[1].w, row[2].w, row[3].w);
  }
}

// move/transposed.cu (words): four chunks of four words each, rows for columns.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  #pragma unroll
  for (int row = 0; row < 4; ++row) {
    out[row] = rows[row].x;
    out[4 + row] = rows[row].y;
    out[8 + row] = rows[row].z;
    out[12 + row] = rows[row].w;
  }
}

// move/transposed.cu (halves): eight chunks of eight elements of 2 bytes each, rows for columns.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  #pragma unroll
  for (int pair = 0; pair < 4; ++pair) {
    const uint4 low = rows[2 * pair], high = rows[2 * pair + 1];
    const unsigned first[4] = {low.x, low.y, low.z, low.w}, second[4] = {high.x, high.y, high.z, high.w};
    #pragma unroll
    for (int word = 0; word < 4; ++word) {
      out[8 * word + pair] = __byte_perm(first[word], second[word], 0x5410);
      out[8 * word + 4 + pair] = __byte_perm(first[word], second[word], 0x7632);
    }
  }
}

// move/transposed.cu (pairs): two chunks of two elements of 8 bytes each, rows for columns.
//   gives: void exchange_${x}(unsigned*, const uint4*)
__device__ __forceinline__ void exchange_${x}(unsigned* out, const uint4* rows) {
  const uint4 low = rows[0], high = rows[1];
  out[0] = low.x;
  out[1] = low.y;
  out[2] = high.x;
  out[3] = high.y;
  out[4] = low.z;
  out[5] = low.w;
  out[6] = high.z;
  out[7] = high.w;
}

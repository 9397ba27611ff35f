// move/squares.cu: which of ${X}'s neighbours across the rows of its copy are the thread's, and where in these rows: a square of
// 16 bytes by 16 bytes.
//   needs: type Elem${X}, Move${X}; int kThreads
//   gives: type Square${X}; Square${X} square_${x}(const Move${X}&, unsigned)
//   fills: unit = 48; extent = 64; lanes = 4
struct Square${X} {
  static constexpr unsigned kUnit = ${unit};  // rows from one neighbour to the next
  unsigned matrix, outer, inner;
  int across;  // neighbours that are there
};
__device__ __forceinline__ Square${X} square_${x}(const Move${X}& it, unsigned block) {
  constexpr unsigned kElems = 16 / sizeof(Elem${X}), kLanes = ${lanes}, kUnit = Square${X}::kUnit;
  constexpr unsigned kAcross = kLanes * kElems, kAlong = 32 / kLanes * kElems;  // of a warp
  const unsigned inner_end = it.inner, outer_end = it.outer, extent = ${extent}, lane = threadIdx.x % 32;
  const unsigned tiles = (extent + kAcross - 1) / kAcross, strips = (inner_end + kAlong - 1) / kAlong;
  const unsigned runs = (outer_end + kUnit * extent - 1) / (kUnit * extent);
  const unsigned warp = block * (kThreads / 32) + threadIdx.x / 32;
  const unsigned of_strip = warp / tiles, of_unit = of_strip / strips, of_run = of_unit / kUnit, matrix = of_run / runs;
  const unsigned next = warp % tiles * kAcross + lane % kLanes * kElems;
  const unsigned inner = of_strip % strips * kAlong + lane / kLanes * kElems;
  const unsigned outer = of_unit % kUnit + kUnit * (next + of_run % runs * extent);
  if (inner >= inner_end || next >= extent || outer >= outer_end || matrix * 1ull * outer_end >= it.rows) return {};
  const unsigned left = min(extent - next, (outer_end - outer + kUnit - 1) / kUnit);
  return {matrix, outer, inner, static_cast<int>(min(left, kElems))};
}

// move/squares.cu (access): 16 bytes of neighbours, kBytes of them at once.
//   needs: type Word<>
//   gives: uint4 load_square<>(const Elem*); void store_square<>(Elem*, uint4)
template <int kBytes, class Elem>
__device__ __forceinline__ uint4 load_square(const Elem* from) {
  typedef typename Word<kBytes>::type Part;
  union {
    uint4 word;
    Part part[16 / kBytes];
  } all;
  #pragma unroll
  for (int i = 0; i < 16 / kBytes; ++i) all.part[i] = reinterpret_cast<const Part*>(from)[i];
  return all.word;
}
template <int kBytes, class Elem>
__device__ __forceinline__ void store_square(Elem* to, uint4 chunk) {
  typedef typename Word<kBytes>::type Part;
  union {
    uint4 word;
    Part part[16 / kBytes];
  } all;
  all.word = chunk;
  #pragma unroll
  for (int i = 0; i < 16 / kBytes; ++i) reinterpret_cast<Part*>(to)[i] = all.part[i];
}

// move/squares.cu (in): reads neighbours of ${X} as its View has them and writes rows of the copy.
//   needs: type Elem${X}, Part${X}, Move${X}, Square${X}; Square${X} square_${x}(const Move${X}&, unsigned)
//   needs: long long element_${x}(unsigned, unsigned, unsigned); uint4 load_square<>(const Elem*), edge_${x}(const Elem${X}*, int)
//   needs: void exchange_${x}(unsigned*, const uint4*), put_chunk_${x}(const Move${X}&, Part${X}*, uint4)
//   gives: void move_${x}(const Move${X}&, unsigned)
//   fills: bytes = 16; place = at.outer, place
__device__ __forceinline__ void move_${x}(const Move${X}& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const Square${X} at = square_${x}(it, block);
  if (at.across == 0) return;
  uint4 read[kElems];
  if (at.across == kElems && at.inner + kElems <= it.inner) {
    #pragma unroll
    for (int e = 0; e < kElems; ++e) {
      const unsigned place = at.inner + e;
      read[e] = load_square<${bytes}>(it.source + element_${x}(${place}, at.matrix));
    }
  } else {
    #pragma unroll
    for (int e = 0; e < kElems; ++e) {
      const unsigned place = at.inner + e;
      read[e] = edge_${x}(it.source + element_${x}(${place}, at.matrix), place < it.inner ? at.across : 0);
    }
  }
  unsigned out[4 * kElems];
  exchange_${x}(out, read);
  Part${X}* const to = it.target + at.matrix * it.batch_stride_target + at.outer * it.ld_target + at.inner;
  #pragma unroll
  for (int e = 0; e < kElems; ++e)
    if (e < at.across)
      put_chunk_${x}(it, to + e * Square${X}::kUnit * it.ld_target, make_uint4(out[4 * e], out[4 * e + 1], out[4 * e + 2], out[4 * e + 3]));
}

// move/squares.cu (out): reads rows of what the product has left of ${X} and writes neighbours as its View has them.
//   needs: type Elem${X}, Move${X}, Square${X}, Vector<>; Square${X} square_${x}(const Move${X}&, unsigned)
//   needs: long long element_${x}(unsigned, unsigned, unsigned)
//   needs: void exchange_${x}(unsigned*, const uint4*), store_square<>(Elem*, uint4)
//   gives: void move_${x}(const Move${X}&, unsigned)
//   fills: bytes = 16; place = at.outer, place
__device__ __forceinline__ void move_${x}(const Move${X}& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const Square${X} at = square_${x}(it, block);
  if (at.across == 0) return;
  const Elem${X}* const from = it.source + at.matrix * it.batch_stride_source + at.outer * it.ld_source + at.inner;
  uint4 read[kElems];
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    read[e] = make_uint4(0, 0, 0, 0);
    if (e < at.across) read[e] = *reinterpret_cast<const uint4*>(from + e * Square${X}::kUnit * it.ld_source);
  }
  unsigned out[4 * kElems];
  exchange_${x}(out, read);
  #pragma unroll
  for (int e = 0; e < kElems; ++e) {
    const unsigned place = at.inner + e;
    if (place >= it.inner) break;
    Elem${X}* const to = it.target + element_${x}(${place}, at.matrix);
    Vector<Elem${X}, kElems> chunk;
    chunk.word = make_uint4(out[4 * e], out[4 * e + 1], out[4 * e + 2], out[4 * e + 3]);
    if (at.across == kElems) {
      store_square<${bytes}>(to, chunk.word);
    } else {
      #pragma unroll
      for (int i = 0; i < kElems; ++i)
        if (i < at.across) to[i] = chunk.elem[i];
    }
  }
}

// move/transposed.cu: ${X} along its other dimension, a square of 16 bytes by 16 bytes a thread: it reads rows of the
// source and writes rows of the copy. Eight lanes write a whole line, four read half of one.
//   needs: type Elem${X}, Move<>; void exchange_${x}(unsigned*, const uint4*)
//   needs: uint4 chunk_${x}(const Elem${X}*), edge_${x}(const Elem${X}*, int)
//   gives: void move_${x}(const Move<Elem${X}>&, unsigned)
//   fills: whole = outer + kElems <= it.outer
__device__ __forceinline__ void move_${x}(const Move<Elem${X}>& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X});
  const unsigned tiles = (it.outer + 8 * kElems - 1) / (8 * kElems), strips = (it.inner + 16 * kElems - 1) / (16 * kElems);
  const unsigned matrix = block / (tiles * strips), tile = block % tiles, strip = block / tiles % strips;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int outer = (tile * 8 + warp % 2 * 4 + lane % 4) * kElems, inner = (strip * 16 + warp / 2 * 8 + lane / 4) * kElems;
  if (outer >= it.outer || inner >= it.inner) return;
  const Elem${X}* const from = it.source + matrix * it.batch_stride_source + inner * it.ld_source + outer;
  Elem${X}* const to = it.target + matrix * it.batch_stride_target + outer * it.ld_target + inner;

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
      *reinterpret_cast<uint4*>(to + e * it.ld_target) = make_uint4(out[4 * e], out[4 * e + 1], out[4 * e + 2], out[4 * e + 3]);
}

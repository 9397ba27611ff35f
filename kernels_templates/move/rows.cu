// move/rows.cu: ${X}'s rows, a warp a segment of one. Chunks of 16 bytes are read where the source has them, all
// at once, and shifted: the copy's are a chunk and the start of the next, which another lane has read. Chunks
// that hold bytes of other rows are not touched: what they have of this one goes element by element.
//   needs: type Elem${X}, Part${X}, Move${X}; int kThreads
//   needs: void put_chunk_${x}(const Move${X}&, Part${X}*, uint4), put_elem_${x}(const Move${X}&, Part${X}*, Elem${X})
//   needs: uint4 chunk_behind(uint4, uint4, unsigned), chunk_of_lane(uint4, int); unsigned past_chunk(const void*)
//   gives: void move_${x}(const Move${X}&, unsigned)
//   fills: chunks = 8
__device__ __forceinline__ void move_${x}(const Move${X}& it, unsigned block) {
  constexpr int kElems = 16 / sizeof(Elem${X}), kChunks = ${chunks};
  const int lane = threadIdx.x % 32;
  const unsigned warp = block * (kThreads / 32) + threadIdx.x / 32, row = warp / it.segments;
  if (row >= it.rows) return;
  const unsigned matrix = row / it.outer, in_matrix = row % it.outer, segment = warp % it.segments;
  const Elem${X}* const from = it.source + matrix * it.batch_stride_source + in_matrix * it.ld_source;
  Part${X}* const to = it.target + matrix * it.batch_stride_target + in_matrix * it.ld_target;
  const unsigned past = past_chunk(from);
  const int before = past / sizeof(Elem${X});  // elements in the row's first chunk that are not its own
  const uint4* const chunks = reinterpret_cast<const uint4*>(from - before);
  const int whole = before > 0 ? 1 : 0, end = (it.inner + before) / kElems;  // chunks that hold nothing else
  const int last = max(end - 1, whole);                                      // those with one of these behind them
  const int first = segment * (32 * kChunks) + lane;

  uint4 chunk[kChunks + 1] = {};
  #pragma unroll
  for (int i = 0; i <= kChunks; ++i) {
    const int c = first + i * 32;
    if (c >= whole && c < end && (i < kChunks || lane == 0)) chunk[i] = __ldcs(chunks + c);  // nobody reads it again
  }
  const int tail = last * kElems + lane;
  const bool has_head = segment == 0 && lane < min(whole * kElems, it.inner);
  const bool has_tail = segment == it.segments - 1 && tail < it.inner;
  Elem${X} of_head = {}, of_tail = {};
  if (has_head) of_head = from[lane];
  if (has_tail) of_tail = from[tail];
  __syncwarp();

  #pragma unroll
  for (int i = 0; i < kChunks; ++i) {
    const int c = first + i * 32;
    if (c - lane >= last) break;
    const uint4 next = chunk_of_lane(lane == 0 ? chunk[i + 1] : chunk[i], (lane + 1) % 32);
    if (c >= whole && c < last) put_chunk_${x}(it, to + c * kElems, chunk_behind(chunk[i], next, past));
  }
  if (has_head) put_elem_${x}(it, to + lane, of_head);
  if (has_tail) put_elem_${x}(it, to + tail, of_tail);
}

// copy/straight.cu (tile): a thread's fragments of the next tile of ${X}, from global memory; zeros past the edge.
//   needs: type Vector${X}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left; long long ld${x}
//   needs: Vec load_vector<>(const Elem*, int); int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}()
//   fills: at = mn * lda + along_k; step = kTileK; left = 4
Vector${X} ${x}_staged[kCopies${X}];
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_staged[i] = load_vector<Vector${X}>(
        ${x}_source + (${at}), ${left});
  }
  ${x}_source += ${step};
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (shifted): a thread's fragments of the next tile of ${X}, rows of which begin anywhere; zeros past the
// edge. Chunks are asked for first, and vectors cut out of them when all of both operands are on their way.
//   needs: type Vector${X}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left, k, ${mn}; long long ld${x}
//   needs: type Chunks; Chunks load_chunks<>(const Elem*, int, int); Vec vector_of<>(const Chunks&, const Elem*, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}(), settle_${x}()
//   fills: at = mn * lda + along_k; past = k - a_k_left + along_k; step = kTileK; left = 4
Chunks ${x}_chunks[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
const auto left_of_${x} = [&](int mn, int along_k) { return ${left}; };
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_chunks[i] = load_chunks(${x}_source + (${at}), ${past}, left_of_${x}(mn, along_k));
  }
};
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_staged[i] = vector_of<Vector${X}>(${x}_chunks[i], ${x}_source + (${at}), left_of_${x}(mn, along_k));
  }
  ${x}_source += ${step};
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (inside k_major): a thread's fragments of the next tile of ${X}, which begin anywhere, where the chunks of 16 bytes
// around them lie in the row; zeros behind those. Vectors are cut out when all of both operands are on their way.
//   needs: type Vector${X}; const Elem${X}* ${x}_source
//   needs: int kCopies${X}, kCopyElems${X}, kTileK; int ${x}_k_left, ${x}_left; long long ld${x}
//   needs: uint4 chunk_behind(uint4, uint4, unsigned); unsigned past_chunk(const void*)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int)
//   gives: Vector${X} ${x}_staged[]; void load_${x}(), settle_${x}()
//   fills: in_line = mn < a_left &&
uint4 ${x}_low[kCopies${X}], ${x}_high[kCopies${X}];
Vector${X} ${x}_staged[kCopies${X}];
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const bool inside = ${in_line}along_k < ${x}_k_left;
    const Elem${X}* const from = ${x}_source + (mn * ld${x} + along_k);
    const unsigned past = past_chunk(from);
    const uint4* const chunk = reinterpret_cast<const uint4*>(from - past / sizeof(Elem${X}));
    ${x}_low[i] = ${x}_high[i] = make_uint4(0, 0, 0, 0);
    if (inside) ${x}_low[i] = chunk[0];
    if (inside && past > 0) ${x}_high[i] = chunk[1];
  }
};
const auto settle_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    ${x}_staged[i].word = chunk_behind(${x}_low[i], ${x}_high[i], past_chunk(${x}_source + (mn * ld${x} + along_k)));
  }
  ${x}_source += kTileK;
  ${x}_k_left -= kTileK;
};

// copy/straight.cu (line chunks): a thread's fragments of the next tile of ${X}, contiguous along ${MN}, rows of which begin anywhere:
// aligned chunks of 16 bytes, of all of this thread's rows from as many elements ahead of the tile; and, one by one, of the tile's
// last lines, which those do not reach. What chunks have of other rows makes sums that nobody takes. One that reaches out of the
// matrix comes element by element. Zeros past K.
//   needs: type Elem${X}, Vector${X}; const Elem${X}* ${x}; const Elem${X}* ${x}_source; int kTile${MN}
//   needs: int kCopies${X}, kCopyElems${X}, kEnds${X}; int ${x}_left, k, matrix, ${mn}, thread, tile_${mn}
//   needs: long long batch_stride_${x}, ld${x}; unsigned past_chunk(const void*)
//   needs: int copy_${x}_k_base(int), copy_${x}_mn(int), end_${x}_k_base(int), end_${x}_mn_base(int)
//   gives: int ${x}_past, ${x}_ends_left, ${x}_end_k_left; int ${x}_skipped[]; int ${x}_rows[]; bool ${x}_reaches_out
//   gives: Vector${X} ${x}_staged[]; Elem${X} ${x}_ends[]; const Elem${X}* ${x}_first; const Elem${X}* ${x}_last
//   gives: const Elem${X}* ${x}_end_source
const int ${x}_past = past_chunk(${x}_source) / sizeof(Elem${X});
Vector${X} ${x}_staged[kCopies${X}];
Elem${X} ${x}_ends[kEnds${X}];
// Of rows from `skipped` on, so many: all but the first and last, where chunks reach out of those.
const auto rows_within = [&](int elements) { return elements <= 0 ? 0 : elements <= ld${x} ? 1 : (elements - 1) / static_cast<int>(ld${x}) + 1; };
int ${x}_skipped[kCopies${X}], ${x}_rows[kCopies${X}];
bool ${x}_reaches_out = false;
#pragma unroll
for (int i = 0; i < kCopies${X}; ++i) {
  const int line = ${mn} - ${x}_left + copy_${x}_mn(i * kCopyElems${X}) - ${x}_past;
  const int ahead = rows_within(-line), behind = rows_within(line + kCopyElems${X} - ${mn});
  ${x}_skipped[i] = ahead - copy_${x}_k_base(thread);
  ${x}_rows[i] = line < ${mn} ? max(k - ahead - behind, 0) : 0;
  ${x}_reaches_out |= line < ${mn} && ahead + behind > 0;
}
const Elem${X}* const ${x}_first = ${x} + matrix * batch_stride_${x};
const Elem${X}* const ${x}_last = ${x}_first + (k - 1LL) * ld${x} + ${mn};
const int ${x}_end_line = tile_${mn} * kTile${MN} + kTile${MN} - ${x}_past;
const Elem${X}* ${x}_end_source = ${x}_source + (${x}_end_line + end_${x}_mn_base(thread) - (${mn} - ${x}_left)) +
                           (end_${x}_k_base(thread) - copy_${x}_k_base(thread)) * ld${x};
const int ${x}_ends_left = min(${x}_past, ${mn} - ${x}_end_line) - end_${x}_mn_base(thread);
int ${x}_end_k_left = k - end_${x}_k_base(thread);
${x}_source -= ${x}_past;

// copy/straight.cu (line loads): those chunks and lines of the next tile of ${X}.
//   needs: type Elem${X}, Vector${X}; bool ${x}_reaches_out; int kCopies${X}, kCopyElems${X}, kEnds${X}, kTileK
//   needs: const Elem${X}* ${x}_source; const Elem${X}* ${x}_first; const Elem${X}* ${x}_last; const Elem${X}* ${x}_end_source
//   needs: int ${x}_past, ${x}_left, ${x}_k_left, ${x}_ends_left, ${x}_end_k_left; int ${x}_skipped[]; int ${x}_rows[]; long long ld${x}
//   needs: Vector${X} ${x}_staged[]; Elem${X} ${x}_ends[]; Vec load_vector<>(const Elem*, int)
//   needs: int copy_${x}_k(int), copy_${x}_mn(int), end_${x}_k(int), end_${x}_mn(int)
//   gives: void load_${x}()
//   fills: in_k = along_k < a_end_k_left &&
const auto load_${x} = [&] {
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) {
    const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
    const bool is_inside = static_cast<unsigned>(along_k - ${x}_skipped[i]) < static_cast<unsigned>(${x}_rows[i]);
    ${x}_staged[i] = load_vector<Vector${X}>(${x}_source + (along_k * ld${x} + mn), is_inside ? kCopyElems${X} : 0);
  }
  if (${x}_reaches_out) {
    #pragma unroll
    for (int i = 0; i < kCopies${X}; ++i) {
      const int mn = copy_${x}_mn(i * kCopyElems${X}), along_k = copy_${x}_k(i * kCopyElems${X});
      const bool is_inside = static_cast<unsigned>(along_k - ${x}_skipped[i]) < static_cast<unsigned>(${x}_rows[i]);
      if (is_inside || along_k >= ${x}_k_left || mn >= ${x}_left + ${x}_past) continue;
      const Elem${X}* const chunk = ${x}_source + (along_k * ld${x} + mn);
      #pragma unroll
      for (int e = 0; e < kCopyElems${X}; ++e)
        if (chunk + e >= ${x}_first && chunk + e < ${x}_last) ${x}_staged[i].elem[e] = chunk[e];
    }
  }
  #pragma unroll
  for (int i = 0; i < kEnds${X}; ++i) {
    const int mn = end_${x}_mn(i), along_k = end_${x}_k(i);
    ${x}_ends[i] = Elem${X}{};
    if (${in_k}mn < ${x}_ends_left) ${x}_ends[i] = ${x}_end_source[along_k * ld${x} + mn];
  }
  #pragma unroll
  for (int i = 0; i < kCopies${X}; ++i) ${x}_skipped[i] -= kTileK;
  ${x}_k_left -= kTileK;
  ${x}_source += kTileK * ld${x};
  ${x}_end_source += kTileK * ld${x};
  ${x}_end_k_left -= kTileK;
};

// copy/straight.cu (ahead k_major): what blocks read first of ${X}, contiguous along K, on its way to the L2 cache. Those that read
// the same rows deal them out among themselves: lines that many ask for ahead come late to all of them.
//   needs: type Elem${X}; const Elem${X}* ${x}; int kTile${MN}, kTileK; int ${mn}, k, matrix, tile_m, tile_n
//   needs: long long batch_stride_${x}, ld${x}; void ask_ahead<>(const Elem*, int, int, long long, int, int, int)
//   fills: together = 1; share = 0, 1; half =
ask_ahead<kTile${MN}, kTileK, ${together}, 1>(
    ${x} + matrix * batch_stride_${x} + static_cast<long long>(tile_${mn}) * kTile${MN} * ld${x}${half}, ${mn} - tile_${mn} * kTile${MN},
    k, ld${x}, 0, ${share});

// copy/straight.cu (ahead mn_major): what blocks read first of ${X}, contiguous along ${MN}, on its way to the L2 cache. Those that
// read the same lines deal them out among themselves: lines that many ask for ahead come late to all of them.
//   needs: type Elem${X}; const Elem${X}* ${x}; int kTile${MN}, kTileK; int ${mn}, k, matrix, tile_m, tile_n
//   needs: long long batch_stride_${x}, ld${x}; void ask_ahead<>(const Elem*, int, int, long long, int, int, int)
//   fills: together = 1; share = 0, 1; half =
{
  constexpr int kOfLine = 128 / sizeof(Elem${X}), kTiles = kOfLine > kTile${MN} ? kOfLine / kTile${MN} : 1;
  const int first = tile_${mn} / kTiles * kTiles * kTile${MN};
  ask_ahead<kTileK, kTiles * kTile${MN}, ${together}, kTiles>(
      ${x} + matrix * batch_stride_${x} + first${half}, k, ${mn} - first, ld${x}, tile_${mn} % kTiles, ${share});
}

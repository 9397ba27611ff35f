// epilogue/gather.cu: what many elements come to; of elements one of which is no number, no number is the largest.
//   gives: type Amax, Sum; Number over_lanes<>(Number, Combine); bool ends_matrix(unsigned*, unsigned, unsigned); int thread_again()
//   gives: void raise_to<>(Number*, Number); Number taken<>(Number*)
struct Sum {
  __device__ __forceinline__ float operator()(float x, float y) const { return __fadd_rn(x, y); }
  __device__ __forceinline__ double operator()(double x, double y) const { return __dadd_rn(x, y); }
  __device__ __forceinline__ int operator()(int x, int y) const { return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }
  __device__ __forceinline__ long long operator()(long long x, long long y) const { return x + y; }
};
struct Amax {
  __device__ __forceinline__ float operator()(float most, float x) const {
#if __CUDA_ARCH__ >= 800
    float result;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(most), "f"(fabsf(x)));
    return result;
#else
    // The bits of magnitudes are in their order, those of no number behind them.
    return __uint_as_float(max(__float_as_uint(most), __float_as_uint(x) & 0x7fffffffu));
#endif
  }
  template <class Number> __device__ __forceinline__ Number operator()(Number most, Number x) const {
    const Number size = x < 0 ? -x : x;
    return most != most || size <= most ? most : size;
  }
};
// Together with the lanes whose numbers differ in some bits of kLanes and in no others.
template <int kLanes, class Number, class Combine>
__device__ __forceinline__ Number over_lanes(Number x, Combine combine) {
  #pragma unroll
  for (int lane = 16; lane > 0; lane /= 2)
    if ((kLanes & lane) != 0) x = combine(x, __shfl_xor_sync(0xffffffff, x, lane));
  return x;
}
#if __CUDA_ARCH__ >= 800
template <int kAllLanes>
__device__ __forceinline__ float over_lanes(float x, Amax) { return __uint_as_float(__reduce_max_sync(0xffffffff, __float_as_uint(x))); }
#endif
// Raises what many threads raise to a magnitude, by its bits: those of no number are behind all others.
__device__ __forceinline__ void raise_to(float* most, float x) { atomicMax(reinterpret_cast<unsigned*>(most), __float_as_uint(x)); }
__device__ __forceinline__ void raise_to(double* most, double x) { atomicMax(reinterpret_cast<long long*>(most), __double_as_longlong(x) & 0x7fffffffffffffffll); }
__device__ __forceinline__ void raise_to(long long* most, long long x) { atomicMax(most, x); }
// What it has come to; it is 0 again.
__device__ __forceinline__ float taken(float* most) { return atomicExch(most, 0.f); }
__device__ __forceinline__ long long taken(long long* most) { return static_cast<long long>(atomicExch(reinterpret_cast<unsigned long long*>(most), 0ull)); }
__device__ __forceinline__ double taken(double* most) { return __longlong_as_double(atomicExch(reinterpret_cast<unsigned long long*>(most), 0ull)); }
// Adds `tiles` to those of a matrix that are done. True for whoever makes them `all`, who sees what was
// written before; the counter is 0 again.
__device__ __forceinline__ bool ends_matrix(unsigned* done, unsigned tiles, unsigned all) {
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(done), "r"(tiles) : "memory");
  if (before + tiles != all) return false;
  *done = 0;
  return true;
}
// The number of this thread, read anew: kept in a register through the main loop it makes others spill.
__device__ __forceinline__ int thread_again() {
  int thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

// epilogue/gather.cu (whole): integers are gathered in 64 bits, which no sum of 32 leaves, and rounded once.
//   needs: type ${type}; void from_compute(double, ${type}*)
//   gives: void from_compute(long long, ${type}*)
//   fills: type = ElemOut2
__device__ __forceinline__ void from_compute(long long x, ${type}* out) { from_compute(__ll2double_rn(x), out); }

// epilogue/gather.cu (whole s32): an s32 holds the last 32 bits.
//   needs: type s32
//   gives: void from_compute(long long, s32*)
__device__ __forceinline__ void from_compute(long long x, s32* out) { *out = static_cast<s32>(x); }

// epilogue/gather.cu (sharing): lanes whose numbers differ in some bits of kLanes and in no others put their parts of
// kLines lines together, each for some of them, which it then has first.
//   gives: type Or; void share_out<>(Number*, int, Combine); int first_shared<>(int), shares<>()
struct Or {
  __device__ __forceinline__ unsigned operator()(unsigned x, unsigned y) const { return x | y; }
};
template <int kLanes, int kLines, class Number, class Combine>
__device__ __forceinline__ void share_out(Number* lines, int lane, Combine combine) {
  int count = kLines;
  #pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    if ((kLanes & bit) == 0) continue;
    count /= 2;
    #pragma unroll
    for (int i = 0; i < kLines / 2; ++i) {  // bounds that compilers unroll
      if (i >= count) continue;
      const Number kept = (lane & bit) != 0 ? lines[i + count] : lines[i], given = (lane & bit) != 0 ? lines[i] : lines[i + count];
      lines[i] = combine(kept, __shfl_xor_sync(0xffffffff, given, bit));
    }
  }
}
// The first line that a lane then has.
template <int kLanes, int kLines>
__device__ __forceinline__ int first_shared(int lane) {
  int first = 0, count = kLines;
  #pragma unroll
  for (int bit = 16; bit > 0; bit /= 2) {
    if ((kLanes & bit) == 0) continue;
    count /= 2;
    if ((lane & bit) != 0) first += count;
  }
  return first;
}
// How many it has.
template <int kLanes, int kLines>
__device__ __forceinline__ constexpr int shares() {
  int count = kLines;
  for (int lanes = kLanes; lanes > 0; lanes &= lanes - 1) count /= 2;
  return count;
}

// epilogue/gather.cu (amax of lines): the largest magnitude among lanes that have a line.
//   needs: type Amax
//   gives: type AmaxOfLine
struct AmaxOfLine : Amax {};

// epilogue/gather.cu (value): what a thread finds of ${name} in a tile.
//   needs: type Gathered
//   gives: Gathered gathered${place}
//   fills: name = a; place = 2
Gathered gathered${place} = 0;

// epilogue/gather.cu (found): gathers what a thread found in a turn of the drain. The turn's subtile is on its way meanwhile.
//   needs: int kSubtileElems; int turn
//   gives: int e, value
//   fills: gather =
#pragma unroll
for (int e = 0; e < kSubtileElems; ++e) {
  const int value = turn * kSubtileElems + e;
  $[gather]
}

// epilogue/gather.cu (found inside): as far as it lies inside D; in a tile that does nobody asks.
//   needs: int kSubtileElems, kTileM, kTileN; int first_m, first_n, in_col, in_row, m, n, turn
//   needs: int out_m(int), out_n(int)
//   gives: int e, value
//   fills: gather = ; tile = first_m + kTileM <= m; element = in_row + out_m(value) < m
if (${tile}) {
  $[found]
} else {
  #pragma unroll
  for (int e = 0; e < kSubtileElems; ++e) {
    const int value = turn * kSubtileElems + e;
    if (${element}) {
      $[gather]
    }
  }
}

// epilogue/gather.cu (values): what a thread finds of ${name} in a tile, a sum for each of its lines.
//   needs: type Gathered; int kSlots${place}
//   gives: Gathered gathered${place}[]
//   fills: name = r; place = 2
Gathered gathered${place}[kSlots${place}] = {};

// epilogue/gather.cu (places): warps leave what they find in a tile behind that of the tiles before; a matrix ends with a
// value more for each warp.
//   needs: int kDrainWarps; int m, matrix, n, tile_m, tile_n; int thread_again()
//   gives: int gatherer, tiles_along_m, tiles_along_n; long long matrix_place, tile_place, tile_values
//   fills: along_m = m; along_n = n
const int gatherer = thread_again(), tiles_along_m = ${along_m}, tiles_along_n = ${along_n};
const long long tile_values = static_cast<long long>(tiles_along_m) * tiles_along_n * kDrainWarps;
const long long matrix_place = matrix * (tile_values + kDrainWarps);
const long long tile_place = matrix_place + (tile_m + static_cast<long long>(tiles_along_m) * tile_n) * kDrainWarps;

// epilogue/gather.cu (tile): what a warp found of ${name} in the tile.
//   needs: type Gathered; Gathered gathered${place}; Gathered* partials${place}; int gatherer; long long tile_place
//   needs: type Sum; Number over_lanes<>(Number, Combine)
//   fills: name = a; place = 2; combine = Sum
gathered${place} = over_lanes<31>(gathered${place}, ${combine}());
if (gatherer % 32 == 0) partials${place}[tile_place + gatherer / 32] = gathered${place};

// epilogue/gather.cu (most): the largest of ${name} that a warp found in the tile; nobody asks in which order.
//   needs: type Gathered; Gathered gathered${place}; Gathered* partials${place}; int gatherer, matrix
//   needs: type Amax; Number over_lanes<>(Number, Combine); void raise_to<>(Number*, Number)
//   fills: name = a; place = 2
gathered${place} = over_lanes<31>(gathered${place}, Amax());
if (gatherer % 32 == 0) raise_to(partials${place} + matrix, gathered${place});

// epilogue/gather.cu (rows): sums of ${name} along the rows of the tile; every warp leaves its part of each.
//   needs: type Gathered; Gathered* partials${place}; int kParts${place}, kTileM
//   needs: int gatherer, matrix, tile_m, tile_n, tiles_along_m, tiles_along_n; int line_part${place}(int), ${base}(int)
//   gives: Gathered* target
//   fills: name = r; place = 2; base = out_m_base
{
  const long long part = static_cast<long long>(matrix * tiles_along_n + tile_n) * kParts${place} + line_part${place}(gatherer);
  Gathered* const target = partials${place} + (part * tiles_along_m + tile_m) * kTileM + ${base}(gatherer);
  $[lines]
}

// epilogue/gather.cu (columns): sums of ${name} along the columns of the tile; every warp leaves its part of each.
//   needs: type Gathered; Gathered* partials${place}; int kParts${place}, kTileN
//   needs: int gatherer, matrix, tile_m, tile_n, tiles_along_m, tiles_along_n; int line_part${place}(int), ${base}(int)
//   gives: Gathered* target
//   fills: name = r; place = 2; base = out_n_base
{
  const long long part = static_cast<long long>(matrix * tiles_along_m + tile_m) * kParts${place} + line_part${place}(gatherer);
  Gathered* const target = partials${place} + (part * tiles_along_n + tile_n) * kTileN + ${base}(gatherer);
  $[lines]
}

// epilogue/gather.cu (lines): every lane adds every line of ${name}; one of those that have it leaves it.
//   needs: type Gathered; Gathered gathered${place}[]; Gathered* target; int gatherer, kLanes${place}, kSlots${place}; type ${combine}
//   needs: int line_of${place}(int); Number over_lanes<>(Number, Combine)
//   fills: name = r; place = 2; combine = Sum
#pragma unroll
for (int slot = 0; slot < kSlots${place}; ++slot) {
  const Gathered sum = over_lanes<kLanes${place}>(gathered${place}[slot], ${combine}());
  if ((gatherer & kLanes${place}) == 0) target[line_of${place}(slot)] = sum;
}

// epilogue/gather.cu (shared lines): every lane leaves the lines of ${name} that it got in each turn.
//   needs: type Gathered; Gathered gathered${place}[]; Gathered* target; int gatherer, kLanes${place}, kSlots${place}, kTurnLines${place}
//   needs: int first_shared<>(int), line_of${place}(int), shares<>(); void share_out<>(Number*, int, Combine); type ${combine}
//   fills: name = r; place = 2; combine = Sum
const int own = first_shared<kLanes${place}, kTurnLines${place}>(gatherer);
#pragma unroll
for (int slot = 0; slot < kSlots${place}; ++slot)
  if (slot % kTurnLines${place} < shares<kLanes${place}, kTurnLines${place}>()) target[line_of${place}(slot + own)] = gathered${place}[slot];

// epilogue/gather.cu (all lines): lanes share out the lines of ${name}, which end with the tile.
//   needs: type Gathered; Gathered gathered${place}[]; int kLanes${place}, kTurnLines${place}; int gatherer; void share_out<>(Number*, int, Combine); type ${combine}
//   fills: name = r; place = 2; combine = Sum
share_out<kLanes${place}, kTurnLines${place}>(gathered${place}, gatherer, ${combine}());

// epilogue/gather.cu (turn): lanes share out the lines of ${name} that this turn ends.
//   needs: type Gathered; Gathered gathered${place}[]; int kLanes${place}, kTurnLines${place}; int thread, turn; void share_out<>(Number*, int, Combine); type ${combine}
//   fills: name = r; place = 2; combine = Sum
share_out<kLanes${place}, kTurnLines${place}>(gathered${place} + turn * kTurnLines${place}, thread, ${combine}());

// epilogue/gather.cu (blocks): the largest magnitudes of the blocks of D that a thread has elements of, found by all who have any; ahead of
// the drain, which reads accumulators and inputs once more.
//   needs: type AmaxOfLine, Compute; int first_m, first_n, kBlockLanes, kBlockSlots, kInFlight, kOutElems; Number over_lanes<>(Number, Combine)
//   needs: int out_m(int), out_m_base(int), out_n(int), out_n_base(int), thread_again()
//   gives: Compute block_most[]; int finder, first, out_col, out_row
//   fills: worker = 0; first = 0; end = 8
Compute block_most[kBlockSlots] = {};
{
  const int out_row = first_m + out_m_base(${worker}), out_col = first_n + out_n_base(${worker}), finder = thread_again();
  $[sources]
  #pragma unroll
  for (int first = ${first}; first < ${end}; first += kInFlight * kOutElems) {
    $[find]
  }
  #pragma unroll
  for (int slot = 0; slot < kBlockSlots; ++slot) block_most[slot] = over_lanes<kBlockLanes>(block_most[slot], AmaxOfLine());
  $[told]
}

// epilogue/gather.cu (blocks of a thread): what a thread has in as many vectors as it asks for together.
//   needs: type AmaxOfLine, Compute; Compute block_most[]; int first, kInFlight, kOutElems; int block_slot(int), out_m(int), out_n(int)
//   gives: int col, e, i, row, turn
//   fills: valid = kOutElems; value = 1.f
$[operands]
#pragma unroll
for (int turn = 0; turn < kInFlight; ++turn) {
  const int i = first + turn * kOutElems, row = out_m(i), col = out_n(i);
  $[edge]
  #pragma unroll
  for (int e = 0; e < kOutElems; ++e) {
    if (e >= ${valid}) continue;
    Compute& most = block_most[block_slot(i + e)];
    most = AmaxOfLine()(most, ${value});
  }
}

// epilogue/gather.cu (blocks of warps): warps with parts of the same blocks tell each other what they found, when all have read what was
// told of the tile before.
//   needs: type AmaxOfLine, Compute; Compute block_most[]; unsigned char* smem; int finder, kBlockLanes, kBlockParts, kBlocksOffset, kBlockSlots
//   needs: int block_line(int), block_part(int), ${base}(int)
//   fills: barrier = __syncthreads(); base = out_m_base; block = 1
{
  Compute* const told = reinterpret_cast<Compute*>(smem + kBlocksOffset) + ${base}(finder) / ${block} * kBlockParts;
  ${barrier};
  #pragma unroll
  for (int slot = 0; slot < kBlockSlots; ++slot)
    if ((finder & kBlockLanes) == 0) told[block_line(slot) * kBlockParts + block_part(finder)] = block_most[slot];
  ${barrier};
  #pragma unroll
  for (int slot = 0; slot < kBlockSlots; ++slot)
    for (int part = 0; part < kBlockParts; ++part)
      block_most[slot] = AmaxOfLine()(block_most[slot], told[block_line(slot) * kBlockParts + part]);
}

// epilogue/gather.cu (what is made of blocks): one of those that have a block stores what is made of it, where any of it lies in D.
//   needs: int finder, first_${along}, ${along}, kBlockLanes, kBlockSlots; int block_line(int), block_part(int), ${base}(int)
//   gives: int line, slot
//   fills: base = out_m_base; block = 1; along = m
if ((finder & kBlockLanes) == 0 && block_part(finder) == 0) {
  #pragma unroll
  for (int slot = 0; slot < kBlockSlots; ++slot) {
    const int line = ${base}(finder) / ${block} + block_line(slot);
    if (first_${along} + line * ${block} >= ${along}) continue;
    $[stores]
  }
}

// epilogue/gather.cu (store of a block): ${name} of a block.
//   needs: type ElemOut${place}; ElemOut${place}* out${place}; int first_m, first_n, line, matrix, slot; long long batch_stride_out${place}, ld_out${place}
//   needs: void from_compute(float, ElemOut${place}*)
//   fills: name = s; place = 2; at = block_m * ld_out2 + block_n; value = 1.f; m = first_m + line; n = first_n
{
  const long long block_m = ${m}, block_n = ${n};
  from_compute(${value}, out${place} + (matrix * batch_stride_out${place} + ${at}));
}

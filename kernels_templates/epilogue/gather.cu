// epilogue/gather.cu: what many elements come to; of elements one of which is no number, no number is the largest.
//   gives: type Amax, Sum; Number over_lanes<>(Number, Combine); bool ends_matrix(unsigned*, unsigned, unsigned); int thread_again()
struct Sum {
  __device__ __forceinline__ float operator()(float x, float y) const { return __fadd_rn(x, y); }
  __device__ __forceinline__ double operator()(double x, double y) const { return __dadd_rn(x, y); }
  __device__ __forceinline__ int operator()(int x, int y) const { return static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y)); }
};
struct Amax {
  template <class Number>
  __device__ __forceinline__ Number operator()(Number most, Number x) const {
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

// epilogue/gather.cu (value): what a thread finds of ${name} in a tile.
//   gives: Compute gathered${place}
//   fills: name = a; place = 2
Compute gathered${place} = 0;

// epilogue/gather.cu (values): what a thread finds of ${name} in a tile, a sum for each of its lines.
//   needs: int kSlots${place}
//   gives: Compute gathered${place}[]
//   fills: name = r; place = 2
Compute gathered${place}[kSlots${place}] = {};

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
//   needs: Compute gathered${place}; Compute* partials${place}; int gatherer; long long tile_place
//   needs: type Sum; Number over_lanes<>(Number, Combine)
//   fills: name = a; place = 2; combine = Sum
gathered${place} = over_lanes<31>(gathered${place}, ${combine}());
if (gatherer % 32 == 0) partials${place}[tile_place + gatherer / 32] = gathered${place};

// epilogue/gather.cu (rows): sums of ${name} along the rows of the tile; every warp leaves its part of each.
//   needs: Compute gathered${place}[]; Compute* partials${place}; int kLanes${place}, kParts${place}, kSlots${place}, kTileM
//   needs: int gatherer, matrix, tile_m, tile_n, tiles_along_m, tiles_along_n; type Sum; Number over_lanes<>(Number, Combine)
//   needs: int line_of${place}(int), line_part${place}(int), ${base}(int)
//   fills: name = r; place = 2; base = out_m_base
{
  const long long part = static_cast<long long>(matrix * tiles_along_n + tile_n) * kParts${place} + line_part${place}(gatherer);
  Compute* const target = partials${place} + (part * tiles_along_m + tile_m) * kTileM + ${base}(gatherer);
  #pragma unroll
  for (int slot = 0; slot < kSlots${place}; ++slot) {
    const Compute sum = over_lanes<kLanes${place}>(gathered${place}[slot], Sum());
    if ((gatherer & kLanes${place}) == 0) target[line_of${place}(slot)] = sum;
  }
}

// epilogue/gather.cu (columns): sums of ${name} along the columns of the tile; every warp leaves its part of each.
//   needs: Compute gathered${place}[]; Compute* partials${place}; int kLanes${place}, kParts${place}, kSlots${place}, kTileN
//   needs: int gatherer, matrix, tile_m, tile_n, tiles_along_m, tiles_along_n; type Sum; Number over_lanes<>(Number, Combine)
//   needs: int line_of${place}(int), line_part${place}(int), ${base}(int)
//   fills: name = r; place = 2; base = out_n_base
{
  const long long part = static_cast<long long>(matrix * tiles_along_m + tile_m) * kParts${place} + line_part${place}(gatherer);
  Compute* const target = partials${place} + (part * tiles_along_n + tile_n) * kTileN + ${base}(gatherer);
  #pragma unroll
  for (int slot = 0; slot < kSlots${place}; ++slot) {
    const Compute sum = over_lanes<kLanes${place}>(gathered${place}[slot], Sum());
    if ((gatherer & kLanes${place}) == 0) target[line_of${place}(slot)] = sum;
  }
}

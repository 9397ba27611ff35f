// kernel/each.cu: an entry of the list: a problem, of which the device alone knows where its operands lie and how large they are.
//   gives: type EachGroup
struct EachGroup {
  const void *a, *b, *c;
  void* d;
  long long lda, ldb, ldc, ldd;
  int m, n, k, reserved;
};

// kernel/each.cu (raster): the tiles of the group's product, and which of them this block has. The grid is made for the largest that
// a group may have.
//   needs: type EachGroup; const EachGroup* ends; int kTileM, kTileN; int most_m, most_n
//   gives: bool has_tile; EachGroup own; int k, m, matrix, n, tile, tiles_m, tiles_n
//   fills: m = m; n = n
const int most_tiles = (most_m + kTileM - 1) / kTileM * ((most_n + kTileN - 1) / kTileN);
const int matrix = static_cast<int>(blockIdx.x) / most_tiles, tile = static_cast<int>(blockIdx.x) % most_tiles;
const EachGroup own = ends[matrix];
const int m = own.${m}, n = own.${n}, k = own.k;
const int tiles_m = (min(m, most_m) + kTileM - 1) / kTileM, tiles_n = (min(n, most_n) + kTileN - 1) / kTileN;
const bool has_tile = tile < tiles_m * tiles_n;

// kernel/each.cu (check): of a list that has a wrong entry nothing is computed, and the first block leaves which it is. Others
// without a tile need not look.
//   needs: bool has_tile; type EachGroup; const EachGroup* ends; unsigned* fault; int kProblemGroups, kThreads
//   needs: int most_k, most_m, most_n, thread
//   fills: m = m; n = n; lies = true
if (blockIdx.x > 0 && !has_tile) return;
const auto lies = [](const void* base, long long row_bytes, int alignment) {
  return (reinterpret_cast<unsigned long long>(base) | row_bytes) % alignment == 0;
};
const auto is_right = [&](const EachGroup& one) {
  return one.${m} >= 0 && one.${m} <= most_m && one.${n} >= 0 && one.${n} <= most_n && one.k >= 0 && one.k <= most_k &&
         ${lies};
};
bool is_wrong = false;
#pragma unroll 1
for (int entry = thread; entry < kProblemGroups; entry += kThreads) is_wrong |= !is_right(ends[entry]);
if (__syncthreads_or(is_wrong)) {
  if (blockIdx.x > 0 || thread > 0) return;
  int first = 0;
  #pragma unroll 1
  while (is_right(ends[first])) ++first;
  atomicCAS(fault, 0u, first + 1u);
  return;
}
if (!has_tile) return;

// kernel/each.cu (operands): the group's operands by the names that all kernels have for them. They are its own matrices.
//   needs: type ElemA, ElemB, ElemD, EachGroup; EachGroup own
//   gives: long long batch_stride_a, batch_stride_b, batch_stride_d, lda, ldb, ldd; const ElemA* a; const ElemB* b; ElemD* d
//   fills: a = a; b = b
const ElemA* const a = static_cast<const ElemA*>(own.${a});
const ElemB* const b = static_cast<const ElemB*>(own.${b});
ElemD* const d = static_cast<ElemD*>(own.d);
const long long lda = own.ld${a}, ldb = own.ld${b}, ldd = own.ldd;
constexpr long long batch_stride_a = 0, batch_stride_b = 0, batch_stride_d = 0;

// kernel/each.cu (c): likewise C.
//   needs: type ElemC, EachGroup; EachGroup own
//   gives: long long batch_stride_c, ldc; const ElemC* c
const ElemC* const c = static_cast<const ElemC*>(own.c);
const long long ldc = own.ldc;
constexpr long long batch_stride_c = 0;

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

// kernel/each.cu (right): is an entry of the list within the bounds, and do its operands lie as they were promised to?
//   needs: type EachGroup; int most_k, most_m, most_n
//   gives: bool is_right(const EachGroup&)
//   fills: m = m; n = n; lies = true
const auto lies = [](const void* base, long long row_bytes, int alignment) {
  return (reinterpret_cast<unsigned long long>(base) | row_bytes) % alignment == 0;
};
const auto is_right = [&](const EachGroup& one) {
  return one.${m} >= 0 && one.${m} <= most_m && one.${n} >= 0 && one.${n} <= most_n && one.k >= 0 && one.k <= most_k &&
         ${lies};
};

// kernel/each.cu (check): of a list that has a wrong entry nothing is computed, and the first block leaves which it is. Others
// without a tile need not look.
//   needs: bool has_tile; type EachGroup; const EachGroup* ends; unsigned* fault; int kProblemGroups, kThreads
//   needs: int thread; bool is_right(const EachGroup&)
if (blockIdx.x > 0 && !has_tile) return;
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
constexpr long long batch_stride_a = 0;
constexpr long long batch_stride_b = 0;
constexpr long long batch_stride_d = 0;

// kernel/each.cu (c): likewise C.
//   needs: type ElemC, EachGroup; EachGroup own
//   gives: long long batch_stride_c, ldc; const ElemC* c
const ElemC* const c = static_cast<const ElemC*>(own.c);
const long long ldc = own.ldc;
constexpr long long batch_stride_c = 0;

// kernel/each.cu (table): how many tiles lie ahead of each group's own, in shared memory: a warp reads the list, each lane some
// neighbours of it. A list that has a wrong entry has no tiles, and its first is left.
//   needs: type EachGroup; const EachGroup* ends; unsigned* fault; int kGroupsOffset, kGroupsOfLane, kProblemGroups, kTileM, kTileN
//   needs: int thread; unsigned char* smem; bool is_right(const EachGroup&)
//   gives: int* tiles_before
//   fills: m = m; n = n
int* const tiles_before = reinterpret_cast<int*>(smem + kGroupsOffset);
if (thread < 32) {
  const auto tiles_of = [](const EachGroup& one) { return (one.${m} + kTileM - 1) / kTileM * ((one.${n} + kTileN - 1) / kTileN); };
  const int first = thread * kGroupsOfLane, last = min(first + kGroupsOfLane, kProblemGroups);
  int tiles = 0, wrong = kProblemGroups;
  #pragma unroll 1
  for (int group = first; group < last; ++group) {
    const EachGroup one = ends[group];
    if (is_right(one))
      tiles += tiles_of(one);
    else
      wrong = min(wrong, group);
  }
  int before = tiles;
  #pragma unroll
  for (int lane = 1; lane < 32; lane *= 2) {
    const int left = __shfl_up_sync(0xffffffff, before, lane);
    if (thread >= lane) before += left;
  }
  const int all = __shfl_sync(0xffffffff, before, 31);
  const unsigned faults = __ballot_sync(0xffffffff, wrong < kProblemGroups);
  before -= tiles;
  #pragma unroll 1
  for (int group = first; group < last; ++group) {
    tiles_before[group] = before;
    before += tiles_of(ends[group]);
  }
  if (thread == 0) tiles_before[kProblemGroups] = faults == 0 ? all : 0;
  if (blockIdx.x == 0 && thread + 1 == __ffs(faults)) atomicCAS(fault, 0u, wrong + 1u);
}
__syncthreads();

// kernel/each.cu (place): tiles of groups, one group behind the other, of each those of neighbouring blocks together.
//   needs: type EachGroup, Place, TileInGroups; const EachGroup* ends; int kProblemGroups, kRasterWidth, kTileM, kTileN, most_m, most_n
//   needs: int* tiles_before; TileInGroups in_groups(unsigned, unsigned, unsigned, unsigned); int group_of(const int*, int)
//   gives: int clusters_of(int, int, int); Place place_of(int, int, int, int)
//   fills: m = m; n = n
const auto clusters_of = [&](int, int, int) { return tiles_before[kProblemGroups]; };
const auto place_of = [&](int tile, int, int, int) -> Place {
  const int matrix = group_of(tiles_before, tile);
  const int tiles_m = (ends[matrix].${m} + kTileM - 1) / kTileM, tiles_n = (ends[matrix].${n} + kTileN - 1) / kTileN;
  const TileInGroups place = in_groups(tile - tiles_before[matrix], tiles_m, tiles_n, kRasterWidth);
  return {place.row, place.column, matrix};
};

// kernel/each.cu (tile): what a tile's group has of its own, by the names that all kernels have for it.
//   needs: type ElemD, EachGroup; const EachGroup* ends; int kTileK, matrix
//   gives: EachGroup own; int k_tiles, m, n; ElemD* d; long long batch_stride_d, ldd
//   fills: m = m; n = n
const EachGroup own = ends[matrix];
const int m = own.${m}, n = own.${n}, k_tiles = (own.k + kTileK - 1) / kTileK;
ElemD* const d = static_cast<ElemD*>(own.d);
const long long ldd = own.ldd;
constexpr long long batch_stride_d = 0;

// kernel/each.cu (maps): maps of a group's operands, as its entry of the list describes them: a pair in shared memory, whose fields
// are replaced, and in the workspace what this block has published of it, pairs by turns.
//   needs: type TensorMap; int kMapTurns, kMapsOffset; unsigned char* smem; TensorMap* maps
//   gives: int map_turn; TensorMap* draft, published
TensorMap *const draft = reinterpret_cast<TensorMap*>(smem + kMapsOffset), *const published = maps + blockIdx.x * 2 * kMapTurns;
int map_turn = 0;

// kernel/each.cu (maps of a stage): the maps by which boxes of a k-tile come.
//   needs: type TensorMap; TensorMap* published; int map_turn
//   gives: const TensorMap stage_map_a, stage_map_b
const TensorMap &stage_map_a = published[2 * map_turn], &stage_map_b = published[2 * map_turn + 1];

// kernel/each.cu (first maps): what the producer replaces fields of.
//   needs: type TensorMap; const TensorMap map_a, map_b; TensorMap* draft; void copy_map(TensorMap&, const TensorMap&)
//   gives: int issued, maps_left, map_group
copy_map(draft[0], map_a);
copy_map(draft[1], map_b);
int map_group = -1, issued = 0;
int maps_left = 0;

// kernel/each.cu (group of a tile): what the list says of the tile's group.
//   needs: type EachGroup, Place; const EachGroup* ends; Place at; int kTileK
//   gives: EachGroup own; int k_tiles
const EachGroup own = ends[at.matrix];
const int k_tiles = (own.k + kTileK - 1) / kTileK;

// kernel/each.cu (maps of a tile): the maps of the tile's group, unless they were the last tile's. They take the place of others, by
// which no box may still be on its way: those of k-tiles in whose stages no later one is have landed.
//   needs: type Place, TensorMap; Place at; TensorMap* draft, published; unsigned full, shared
//   needs: int issued, k_tiles, kBarrierBytes, kMapTurns, kMapsOffset, kStages, maps_left, map_group, map_turn
//   needs: void publish_map(TensorMap&, const TensorMap&), replace_map(unsigned, const void*, int, int, long long)
//   needs: void wait_for(unsigned, int)
//   fills: end = maps_left; replace_a = draft, issued, issued, 256; replace_b = draft, issued, issued, 256
if (k_tiles > 0 && at.matrix != map_group) {
  #pragma unroll 1
  for (int i = max(issued - kStages, 0); i < ${end}; ++i) wait_for(full + kBarrierBytes * (i % kStages), i / kStages & 1);
  map_group = at.matrix;
  map_turn = (map_turn + 1) % kMapTurns;
  maps_left = issued;
  replace_map(shared + kMapsOffset, ${replace_a});
  replace_map(shared + kMapsOffset + sizeof(TensorMap), ${replace_b});
  publish_map(published[2 * map_turn], draft[0]);
  publish_map(published[2 * map_turn + 1], draft[1]);
}
issued += k_tiles;

// kernel/groups.cu (search): the group that has a tile: the last whose own begin there or ahead of it. Of those without tiles
// it is never one.
//   needs: int kGroupSearch, kProblemGroups
//   gives: int group_of(const int*, int)
__device__ __forceinline__ int group_of(const int* tiles_before, int tile) {
  int group = 0;
  #pragma unroll 1
  for (int step = kGroupSearch; step > 0; step /= 2)
    if (group + step < kProblemGroups && tiles_before[group + step] <= tile) group += step;
  return group;
}

// kernel/groups.cu (table): how many tiles lie ahead of each group's own, and where its part ends, in shared memory: a warp reads
// the list, each lane some neighbours of it. A list that goes down, or past the bound, has no tiles, and its first fault is left.
//   needs: type GroupEnd; const GroupEnd* ends; unsigned* fault; int kGroupsOffset, kGroupsOfLane, kProblemGroups, kTile${MN}
//   needs: int most_${mn}, thread; unsigned char* smem
//   gives: int* group_end, tiles_before
//   fills: mn = m; MN = M; begin = group > 0 ? ends[group - 1] : 0; end = ends[group]
int *const tiles_before = reinterpret_cast<int*>(smem + kGroupsOffset), *const group_end = tiles_before + kProblemGroups + 1;
if (thread < 32) {
  const int first = thread * kGroupsOfLane, last = min(first + kGroupsOfLane, kProblemGroups);
  int tiles = 0, wrong = kProblemGroups;
  #pragma unroll 8
  for (int group = first; group < last; ++group) {
    const long long begin = ${begin}, end = ${end};
    if (begin <= end && end <= most_${mn})
      tiles += (static_cast<int>(end - begin) + kTile${MN} - 1) / kTile${MN};
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
  #pragma unroll 8
  for (int group = first; group < last; ++group) {
    const int begin = static_cast<int>(${begin}), end = static_cast<int>(${end});
    tiles_before[group] = before;
    group_end[group + 1] = end;
    before += (end - begin + kTile${MN} - 1) / kTile${MN};
  }
  if (thread == 0) tiles_before[kProblemGroups] = faults == 0 ? all : 0, group_end[0] = 0;
  if (blockIdx.x == 0 && thread + 1 == __ffs(faults)) atomicCAS(fault, 0u, wrong + 1u);
}
__syncthreads();

// kernel/groups.cu (rows): where each group's rows begin and end, by a list that has the group of every row, -1 of none. They lie
// together: as many rows say a group's number as lie between its first and its last. A list that breaks this, or has another number,
// counts as one of empty groups; the first block leaves the first row at fault.
//   needs: type GroupEnd; const GroupEnd* ends; unsigned* fault; int kGroupsOffset, kProblemGroups, kThreads
//   needs: int most_${mn}, thread; unsigned char* smem
//   gives: int* behind_group, group_begin, of_block
//   fills: mn = m
int* const group_begin = reinterpret_cast<int*>(smem + kGroupsOffset) + 2 * (kProblemGroups + 1);
int *const behind_group = group_begin - kProblemGroups, *const of_block = group_begin + kProblemGroups;
#pragma unroll 1
for (int group = thread; group < kProblemGroups; group += kThreads) group_begin[group] = most_${mn}, behind_group[group] = 0;
if (thread == 0) *of_block = 0;
__syncthreads();
int apart = 0;
bool has_fault = false;
#pragma unroll 8
for (int row = thread; row < most_${mn}; row += kThreads) {
  const GroupEnd group = ends[row];
  if (group < -1 || group >= kProblemGroups) {
    has_fault = true;
  } else if (group >= 0) {
    --apart;
    if (row == 0 || ends[row - 1] != group) atomicMin(group_begin + group, row);
    if (row + 1 == most_${mn} || ends[row + 1] != group) atomicMax(behind_group + group, row + 1);
  }
}
__syncthreads();
#pragma unroll 1
for (int group = thread; group < kProblemGroups; group += kThreads) {
  if (behind_group[group] == 0) group_begin[group] = 0;
  apart += behind_group[group] - group_begin[group];
}
if (apart != 0) atomicAdd(of_block, apart);
if (__syncthreads_or(has_fault) || *of_block != 0) {
$[faulty]
}

// kernel/groups.cu (faulty rows): leaves the first row that is no group's, or whose group has ended ahead of it; no group has rows.
//   needs: type GroupEnd; const GroupEnd* ends; unsigned* fault; int kProblemGroups, kThreads; int most_${mn}, thread
//   needs: int* behind_group, group_begin, of_block
//   fills: mn = m
__syncthreads();
if (thread == 0) *of_block = most_${mn};
__syncthreads();
int row = blockIdx.x == 0 ? thread : most_${mn};
#pragma unroll 1
for (; row < most_${mn}; row += kThreads) {
  const GroupEnd group = ends[row];
  if (group < -1 || group >= kProblemGroups || group >= 0 && group_begin[group] != row && ends[row - 1] != group) break;
}
if (row < most_${mn}) atomicMin(of_block, row);
__syncthreads();
if (blockIdx.x == 0 && thread == 0) atomicCAS(fault, 0u, *of_block + 1u);
#pragma unroll 1
for (int group = thread; group < kProblemGroups; group += kThreads) group_begin[group] = behind_group[group] = 0;
__syncthreads();

// kernel/groups.cu (origin): where the tile begins, which is a part of its group's, and where that ends.
//   needs: int kTileM, kTileN, matrix, tile_m, tile_n; int* group_end
//   gives: int first_m, first_n, ${mn}
//   fills: mn = m; first_m = tile_m * kTileM; first_n = tile_n * kTileN; end = group_end[matrix + 1]
const int first_m = ${first_m}, first_n = ${first_n}, ${mn} = ${end};

// kernel/groups.cu (part of k): the part of K that the block's group has. Of a list that goes down, or past the bound, nothing is
// computed; its first fault is left.
//   needs: type GroupEnd; const GroupEnd* ends; unsigned* fault; int kProblemGroups, kThreads; int matrix, most_k, thread
//   gives: int first_k, k
bool is_wrong = false;
#pragma unroll 1
for (int entry = thread; entry < kProblemGroups; entry += kThreads)
  is_wrong |= (entry > 0 ? ends[entry - 1] : 0) > ends[entry] || ends[entry] > most_k;
if (__syncthreads_or(is_wrong)) {
  if (blockIdx.x > 0 || thread > 0) return;
  int first = 0;
  #pragma unroll 1
  while ((first > 0 ? ends[first - 1] : 0) <= ends[first] && ends[first] <= most_k) ++first;
  atomicCAS(fault, 0u, first + 1u);
  return;
}
const int first_k = matrix > 0 ? static_cast<int>(ends[matrix - 1]) : 0, k = static_cast<int>(ends[matrix]);

// kernel/groups.cu (parts of k): the parts of K that groups have are found tile by tile. Of a list that goes down,
// or past the bound, nothing is computed; its first fault is left.
//   needs: type GroupEnd; const GroupEnd* ends; unsigned* fault; int kProblemGroups, kThreads; int most_k, thread
bool is_wrong = false;
#pragma unroll 1
for (int entry = thread; entry < kProblemGroups; entry += kThreads)
  is_wrong |= (entry > 0 ? ends[entry - 1] : 0) > ends[entry] || ends[entry] > most_k;
if (__syncthreads_or(is_wrong)) {
  if (blockIdx.x > 0 || thread > 0) return;
  int first = 0;
  #pragma unroll 1
  while ((first > 0 ? ends[first - 1] : 0) <= ends[first] && ends[first] <= most_k) ++first;
  atomicCAS(fault, 0u, first + 1u);
  return;
}

// kernel/groups.cu (part of a tile): the part of K that the tile's group has.
//   needs: type GroupEnd; const GroupEnd* ends; int kTileK; ${place}
//   gives: int first_k, k, k_tiles
//   fills: place = int matrix; matrix = matrix
const int first_k = ${matrix} > 0 ? static_cast<int>(ends[${matrix} - 1]) : 0, k = static_cast<int>(ends[${matrix}]);
const int k_tiles = (k - first_k + kTileK - 1) / kTileK;

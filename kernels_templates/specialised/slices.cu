// specialised/slices.cu (parts): where the sums of the tile's slices are left.
//   needs: type Accum, Vector<>; Place at; Vector<Accum, kPartElems>* parts
//   needs: int kConsumerThreads, kPartElems, kParts, kSplitK; int thread
//   gives: Vector<Accum, kPartElems>* tile_parts; long long met_tile
const long long met_tile = blockIdx.x + gridDim.x * (blockIdx.y + static_cast<long long>(gridDim.y) * at.matrix);
Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;

// specialised/slices.cu (parts, launched): likewise, of a tile by its place in the grid, or by its number among those of a walk.
//   needs: type Accum, Vector<>; Vector<Accum, kPartElems>* parts
//   needs: int kClusterBlocks, kConsumerThreads, kPartElems, kParts; int cluster, rank, split_k, thread
//   gives: Vector<Accum, kPartElems>* tile_parts; long long met_tile
const long long met_tile = gridDim.y > 1 ? blockIdx.x + gridDim.x * blockIdx.y : cluster * kClusterBlocks + rank;
Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * split_k * kParts * kConsumerThreads + thread;

// specialised/slices.cu (parts, behind): likewise, of those behind whole tiles.
//   needs: type Accum, Vector<>; Vector<Accum, kPartElems>* parts
//   needs: int kConsumerThreads, kPartElems, kParts, kSplitK; int behind, thread
//   gives: Vector<Accum, kPartElems>* tile_parts; long long met_tile
const long long met_tile = max(behind, 0) / kSplitK;
Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;

// specialised/slices.cu (in a row): likewise, where tiles are numbered along the grid, and blocks need nobody to load for them.
//   needs: type Accum, Vector<>; Vector<Accum, kPartElems>* parts
//   needs: int kConsumerThreads, kPartElems, kParts, kSplitK; int thread
//   gives: Vector<Accum, kPartElems>* tile_parts; long long met_tile; int kGroups
{
  constexpr int kGroups = 0;  // the number of their barrier
  const long long met_tile = blockIdx.x;
  Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;
  $[drain]
}

// specialised/slices.cu (behind): likewise of those behind whole tiles.
//   needs: type Accum, Vector<>; Vector<Accum, kPartElems>* parts
//   needs: int kConsumerThreads, kPartElems, kParts, kSplitK; int behind, thread
//   gives: Vector<Accum, kPartElems>* tile_parts; long long met_tile; int kGroups
{
  constexpr int kGroups = 0;  // the number of their barrier
  const long long met_tile = max(behind, 0) / kSplitK;
  Vector<Accum, kPartElems>* const tile_parts = parts + met_tile * kSplitK * kParts * kConsumerThreads + thread;
  $[drain]
}

// specialised/slices.cu (columns): no sums are left of columns past the edge, or past those that a launch gives a tile.
// Of eight columns a thread holds four sums.
//   needs: int kPartElems, kTileN, n, tile_n
//   gives: int kPartColumns, used_parts
constexpr int kPartColumns = 2 * kPartElems;
const int used_parts = (min(kTileN, n - tile_n * kTileN) + kPartColumns - 1) / kPartColumns;

// specialised/slices.cu (skip): behind the columns of a launch there is nothing to leave.
//   needs: int i, used_parts
if (i >= used_parts) continue;

// specialised/slices.cu (meet): every block of a tile leaves its sums in the workspace, in the order of its registers,
// and counts. Nobody waits: the one that counts last adds all of them, slice by slice.
//   needs: type Accum, Vector<>; FragmentC acc; Vector<Accum, kPartElems>* tile_parts; long long met_tile
//   needs: int kConsumerThreads, kGroups, kPartElems, kParts; int slice, thread; unsigned* arrived
//   needs: bool any_in_group(int, int, bool); unsigned count_arrival(unsigned*, unsigned); void group_barrier(int, int)
//   gives: bool is_last; int i
//   fills: split_k = 2
typedef Vector<Accum, kPartElems> Part;
#pragma unroll
for (int i = 0; i < kParts; ++i) {
  $[skip]
  Part sums;
  #pragma unroll
  for (int e = 0; e < kPartElems; ++e) sums.elem[e] = acc.elem[kPartElems * i + e];
  tile_parts[(slice * kParts + i) * kConsumerThreads].word = sums.word;
}
group_barrier(kGroups, kConsumerThreads);
const bool counts_last = thread == 0 && count_arrival(arrived + met_tile, ${split_k} - 1) == ${split_k} - 1;
const bool is_last = any_in_group(kGroups, kConsumerThreads, counts_last);
if (is_last) {
  $[add]
}

// specialised/slices.cu (add): a thread's sums of a slice are all asked for at once, small ones of several slices.
//   needs: type Accum, Vector<>; FragmentC acc; Vector<Accum, kPartElems>* tile_parts
//   needs: int kConsumerThreads, kPartElems, kParts
//   fills: split_k = 2
#pragma unroll (kParts < 16 ? 16 / kParts : 1)
for (int other = 0; other < ${split_k}; ++other) {
  #pragma unroll
  for (int i = 0; i < kParts; ++i) {
    Vector<Accum, kPartElems> sums;
    sums.word = tile_parts[(other * kParts + i) * kConsumerThreads].word;
    #pragma unroll
    for (int e = 0; e < kPartElems; ++e) {
      Accum& sum = acc.elem[kPartElems * i + e];
      sum = other == 0 ? sums.elem[e] : sum + sums.elem[e];
    }
  }
}

// specialised/slices.cu (add in turns): likewise ${at_once} vectors at a time, where all of a slice find no registers beside the
// sums. Turns are the outer loop: the one over slices stays a loop, which nothing is asked for ahead of.
//   needs: type Accum, Vector<>; FragmentC acc; Vector<Accum, kPartElems>* tile_parts
//   needs: int kConsumerThreads, kPartElems, kParts
//   fills: at_once = 16; split_k = 2
#pragma unroll
for (int first = 0; first < kParts; first += ${at_once}) {
  #pragma unroll 1
  for (int other = 0; other < ${split_k}; ++other) {
    #pragma unroll
    for (int i = first; i < first + ${at_once} && i < kParts; ++i) {
      Vector<Accum, kPartElems> sums;
      sums.word = tile_parts[(other * kParts + i) * kConsumerThreads].word;
      #pragma unroll
      for (int e = 0; e < kPartElems; ++e) {
        Accum& sum = acc.elem[kPartElems * i + e];
        sum = other == 0 ? sums.elem[e] : sum + sums.elem[e];
      }
    }
  }
}

// specialised/slices.cu (add columns): of few columns sums of many slices are asked for at once, of many columns of few.
//   needs: int kParts, used_parts
//   gives: int first, kFewParts, kManyParts
constexpr int kFewParts = kParts < 2 ? kParts : 2, kManyParts = kParts < 8 ? kParts : 8;
if (used_parts <= kFewParts) {
  constexpr int first = 0;
  $[few]
} else {
  #pragma unroll
  for (int first = 0; first < kParts; first += kManyParts) {
    if (first >= used_parts) break;
    $[many]
  }
}

// specialised/slices.cu (add all): likewise of all columns; those of a large tile leave few registers for others on their way.
//   needs: int kParts
//   gives: int first, kSomeParts, kAtOnce
constexpr int kAtOnce = kParts > 16 ? 8 : 16, kSomeParts = kParts > 16 ? kAtOnce : kParts;
#pragma unroll
for (int first = 0; first < kParts; first += kSomeParts) {
  $[some]
}

// specialised/slices.cu (add some): ${count} of a thread's parts, slice by slice, ${at_once} on their way at once. What there is
// no more of is asked for once more, and not added.
//   needs: type Accum, Vector<>; FragmentC acc; Vector<Accum, kPartElems>* tile_parts
//   needs: int first, kConsumerThreads, kPartElems, kParts, split_k, ${count}, ${used}
//   fills: at_once = 16; count = kManyParts; used = used_parts
constexpr int kOthers = ${count} < ${at_once} ? ${at_once} / ${count} : 1;
#pragma unroll 1
for (int start = 0; start < split_k; start += kOthers) {
  Vector<Accum, kPartElems> sums[kOthers][${count}];
  #pragma unroll
  for (int s = 0; s < kOthers; ++s) {
    #pragma unroll
    for (int i = 0; i < ${count}; ++i)
      sums[s][i].word = tile_parts[(min(start + s, split_k - 1) * kParts + min(first + i, ${used} - 1)) * kConsumerThreads].word;
  }
  #pragma unroll
  for (int s = 0; s < kOthers; ++s) {
    if (start + s >= split_k) continue;
    #pragma unroll
    for (int i = 0; i < ${count}; ++i) {
      if (first + i >= kParts) continue;
      #pragma unroll
      for (int e = 0; e < kPartElems; ++e) {
        Accum& sum = acc.elem[kPartElems * (first + i) + e];
        sum = start + s == 0 ? sums[s][i].elem[e] : sum + sums[s][i].elem[e];
      }
    }
  }
}

// specialised/slices.cu (if any): the sums of a launch's only slice are whole.
//   needs: int split_k
//   gives: bool is_last
//   fills: meet = const bool is_last = true;
const auto meet = [&] {
  $[meet]
  return is_last;
};
const bool is_last = __builtin_expect(split_k == 1, true) || meet();

// specialised/slices.cu (last): D is for the block that holds all sums.
//   needs: bool is_last
if (is_last) {
  $[drain]
}

// specialised/slices.cu (share): every block of a tile leaves its sums in the workspace, in the order of stores, and
// waits until all have: they run together. Then each adds parts of the tile, slice by slice, while what else they take is on
// its way, and stores them.
//   needs: type Accum, Vector<>; FragmentC acc; Vector<Accum, kPartElems>* tile_parts; long long met_tile
//   needs: int kConsumerThreads, kGroups, kPartElems, kParts, kSplitK; int slice, thread; unsigned* arrived
//   needs: int out_acc(int); unsigned arrivals_of(const unsigned*), count_arrival(unsigned*, unsigned)
//   needs: void group_barrier(int, int)
//   gives: Part sums; int part_start; void add_slices()
typedef Vector<Accum, kPartElems> Part;
#pragma unroll
for (int i = 0; i < kParts; ++i) {
  Part mine;
  #pragma unroll
  for (int e = 0; e < kPartElems; ++e) mine.elem[e] = acc.elem[out_acc(kPartElems * i + e)];
  tile_parts[(slice * kParts + i) * kConsumerThreads].word = mine.word;
}
group_barrier(kGroups, kConsumerThreads);
if (thread == 0) {
  count_arrival(arrived + met_tile, 2 * kSplitK - 1);
  while (arrivals_of(arrived + met_tile) < kSplitK) {}
  count_arrival(arrived + met_tile, 2 * kSplitK - 1);  // the last to have seen all leaves it at 0
}
group_barrier(kGroups, kConsumerThreads);
#pragma unroll 1
for (int own_part = slice; own_part < kParts; own_part += kSplitK) {
  Part sums;
  const auto add_slices = [&] {
    sums.word = tile_parts[own_part * kConsumerThreads].word;
    #pragma unroll 8
    for (int other = 1; other < kSplitK; ++other) {
      Part more;
      more.word = tile_parts[(other * kParts + own_part) * kConsumerThreads].word;
      #pragma unroll
      for (int e = 0; e < kPartElems; ++e) sums.elem[e] = sums.elem[e] + more.elem[e];
    }
  };
  const int part_start = kPartElems * own_part;
  $[drain]
}

// specialised/slices.cu (exchange): the blocks of a tile are a cluster. Each leaves its sums in its shared memory, where
// stages were, in the order of stores; then each reads its share of the tile from all of them and adds it, slice by slice.
//   needs: type Accum, Vector<>; FragmentC acc; int slice, thread; unsigned shared; unsigned char* smem
//   needs: int kConsumerThreads, kGroups, kPartElems, kParts, kPartsOffset, kShareElems, kShares, kSplitK; int out_acc(int)
//   needs: unsigned shared_of(unsigned, int); uint4 read_there(unsigned)
//   needs: void arrive_at_cluster(), group_barrier(int, int), wait_for_cluster()
typedef Vector<Accum, kPartElems> Part;
group_barrier(kGroups, kConsumerThreads);
Part* const my_parts = reinterpret_cast<Part*>(smem + kPartsOffset) + thread;
#pragma unroll
for (int i = 0; i < kParts; ++i) {
  Part mine;
  #pragma unroll
  for (int e = 0; e < kPartElems; ++e) mine.elem[e] = acc.elem[out_acc(kPartElems * i + e)];
  my_parts[i * kConsumerThreads].word = mine.word;
}
arrive_at_cluster();
wait_for_cluster();
#pragma unroll
for (int share = 0; share < kShares; ++share) {
  if (share != slice) continue;
  const unsigned here = shared + kPartsOffset + sizeof(Part) * thread;
  #pragma unroll
  for (int other = 0; other < kSplitK; ++other) {
    const unsigned there = shared_of(here, other);
    #pragma unroll
    for (int i = share * kShareElems; i < (share + 1) * kShareElems; i += kPartElems) {
      Part sums;
      sums.word = read_there(there + sizeof(Part) * (i / kPartElems * kConsumerThreads));
      #pragma unroll
      for (int e = 0; e < kPartElems; ++e) {
        Accum& sum = acc.elem[out_acc(i + e)];
        sum = other == 0 ? sums.elem[e] : sum + sums.elem[e];
      }
    }
  }
}
arrive_at_cluster();

// specialised/slices.cu (portion): each block drains its share.
//   needs: int kShares; int slice
//   gives: int share
#pragma unroll
for (int share = 0; share < kShares; ++share) {
  if (share != slice) continue;
  $[drain]
}

// specialised/slices.cu (taken): a block's shared memory stays until others have read its sums.
//   needs: void wait_for_cluster()
__syncwarp();
wait_for_cluster();

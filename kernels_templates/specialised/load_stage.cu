// specialised/load_stage.cu: all boxes of a k-tile, and the bytes that its barrier then waits for.
//   needs: int kBarrierBytes
//   needs: type Place; int kFullBytes; unsigned full; void expect_bytes(unsigned, int)
//   gives: Place at; int k_tile, stage; unsigned stage_full; void load_stage(int, int, const Place&)
//   fills: bytes = kFullBytes
const auto load_stage = [&](int stage, int k_tile, const Place& at) {
  const unsigned stage_full = full + kBarrierBytes * stage;
  expect_bytes(stage_full, ${bytes});
  $[maps]
  $[load]
};

// specialised/load_stage.cu (in turn): the k-tile that a block loads at its turn. Rows that lie a power of two apart are in the
// same banks of memory: blocks that all ask for the same columns at once would keep few of them busy.
//   needs: int kStarts
//   gives: int in_turn(int, int)
__device__ __forceinline__ int in_turn(int k_tile, int k_tiles) {
  k_tile += static_cast<int>((blockIdx.x + gridDim.x * blockIdx.y) % kStarts * k_tiles / kStarts);
  return k_tile < k_tiles ? k_tile : k_tile - k_tiles;
}

// specialised/load_stage.cu (boxes): the boxes of ${X}'s k-tile, of every term.
//   needs: const TensorMap ${map}; void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}, kOffset${X}, kStageBytes${X}; int stage
//   needs: unsigned shared, stage_full; int box_${x}(int)
//   fills: terms = ; copy = stage; map = map_a; load = load_box; place = box; corner = a_inner = 0, a_outer = 0; rest = 0, stage_full
const int ${corner};
$[terms]
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box)
  ${load}(shared + kOffset${X} + ${copy} * kStageBytes${X} + box_${x}(${place}), ${map},
           ${x}_inner + box % kBoxesInner${X} * kBoxInner${X}, ${x}_outer + box / kBoxesInner${X} * kBoxOuter${X}, ${rest});

// specialised/load_stage.cu (halves): the boxes of ${X}'s k-tile, of which the second half lies behind the first: in memory
// as many lines as D has.
//   needs: const TensorMap ${map}; void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}, kOffset${X}, kStageBytes${X}; int stage
//   needs: unsigned shared, stage_full; int box_${x}(int)
//   fills: map = map_a; load = load_box; corner = a_inner = 0, a_outer = 0; line = 0; at = a_inner + line, a_outer, 0, stage_full
const int ${corner};
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box) {
  const int line = ${line};
  ${load}(shared + kOffset${X} + stage * kStageBytes${X} + box_${x}(box), ${map}, ${at});
}

// specialised/load_stage.cu (share of a row): which rows of ${X}'s k-tile this block asks for where the launch says how many
// blocks share it, and who these are: every kClusterM-th of the cluster.
//   needs: int kBoxRows${X}, kClusterBlocks, kClusterM, log_cluster_m, log_cluster_n, rank
//   gives: int ${x}_part, kBoxOuter${X}; unsigned ${x}_blocks
const int ${x}_part = rank >> log_cluster_m, kBoxOuter${X} = kBoxRows${X} >> log_cluster_n;
const unsigned ${x}_blocks = (0x011155ffu >> 8 * log_cluster_m & (1u << kClusterBlocks) - 1) << (rank & kClusterM - 1);

// specialised/load_stage.cu (share of a column): likewise; kClusterM neighbours share it.
//   needs: int kBoxRows${X}, kClusterM, log_cluster_m, rank
//   gives: int ${x}_part, kBoxOuter${X}; unsigned ${x}_blocks
const int ${x}_part = rank & kClusterM - 1, kBoxOuter${X} = kBoxRows${X} >> log_cluster_m;
const unsigned ${x}_blocks = (1u << kClusterM) - 1 << (rank & -kClusterM);

// specialised/load_stage.cu (boxes of a share): those rows of each box, of every term.
//   needs: const TensorMap ${map}; void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   needs: void load_box_for(unsigned, const TensorMap&, int, int, int, unsigned, unsigned)
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxRowBytes${X}, kBoxRows${X}, kBoxes${X}, kOffset${X}, kStageBytes${X}, stage, ${x}_part
//   needs: unsigned ${x}_blocks, shared, stage_full; int box_${x}(int)
//   fills: map = map_a; corner = a_inner = 0, a_outer = 0; terms = ; copy = stage; matrix = 0
const int ${corner};
$[terms]
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box) {
  const unsigned target = shared + kOffset${X} + ${copy} * kStageBytes${X} + box_${x}(box) + ${x}_part * kBoxOuter${X} * kBoxRowBytes${X};
  const int inner = ${x}_inner + box * kBoxInner${X}, outer = ${x}_outer + ${x}_part * kBoxOuter${X};
  if (kBoxOuter${X} < kBoxRows${X})
    load_box_for(target, ${map}, inner, outer, ${matrix}, stage_full, ${x}_blocks);
  else
    load_box(target, ${map}, inner, outer, ${matrix}, stage_full);
}

// specialised/load_stage.cu (ahead): the boxes of ${X}'s k-tile, for the L2 cache alone. Nothing is fetched past the edge.
//   needs: const TensorMap map_${x}; void prefetch_box(const TensorMap&, int, int, int)
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}
//   fills: prefetch = prefetch_box; corner = a_inner = 0, a_outer = 0; terms = ; matrix = 0
const int ${corner};
$[terms]
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box)
  ${prefetch}(map_${x}, ${x}_inner + box % kBoxesInner${X} * kBoxInner${X}, ${x}_outer + box / kBoxesInner${X} * kBoxOuter${X}, ${matrix});

// specialised/load_stage.cu (boxes inside): those boxes of ${X}'s k-tile that hold rows ahead of the edge, of every term.
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}, kOffset${X}, kStageBytes${X}; int stage
//   needs: unsigned shared; int box_${x}(int)
//   gives: int inner, outer; unsigned target
//   fills: terms = ; copy = stage; place = box; corner = a_inner = 0, a_outer = 0
const int ${corner};
$[terms]
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box) {
  const int inner = ${x}_inner + box % kBoxesInner${X} * kBoxInner${X}, outer = ${x}_outer + box / kBoxesInner${X} * kBoxOuter${X};
  const unsigned target = shared + kOffset${X} + ${copy} * kStageBytes${X} + box_${x}(${place});
  $[ask]
}

// specialised/load_stage.cu (ask): a box, unless it lies past the edge; the last one ahead of it may have a map of its own.
//   needs: const TensorMap map_${x}; int inner, outer; unsigned stage_full, target
//   needs: void load_box(unsigned, const TensorMap&, int, int, int, unsigned)
//   fills: load = load_box; map = map_a; inside = outer < 4; rest = 0, stage_full
if (${inside}) ${load}(target, ${map}, inner, outer, ${rest});

// specialised/tma_load.cu: the boxes of ${X}'s k-tile.
//   needs: const TensorMap map_${x}
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}, kOffset${X}, kStageBytes${X}; int stage
//   needs: unsigned shared, stage_full; int box_${x}(int)
//   fills: load = load_box; place = box; corner = a_inner = 0, a_outer = 0; rest = 0, stage_full
const int ${corner};
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box)
  ${load}(shared + kOffset${X} + stage * kStageBytes${X} + box_${x}(${place}), map_${x},
           ${x}_inner + box % kBoxesInner${X} * kBoxInner${X}, ${x}_outer + box / kBoxesInner${X} * kBoxOuter${X}, ${rest});

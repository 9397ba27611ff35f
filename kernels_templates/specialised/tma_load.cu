// specialised/tma_load.cu: the boxes of ${X}'s k-tile.
//   needs: const TensorMap map_${x}
//   needs: int kBoxInner${X}, kBoxOuter${X}, kBoxes${X}, kBoxesInner${X}, kOffset${X}, kStageBytes${X}; int stage
//   needs: unsigned shared, stage_full; int box_${x}(int)
//   fills: load = load_box; place = box; inner = 0; outer = 0; matrix = 0; mask =
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box)
  ${load}(shared + kOffset${X} + stage * kStageBytes${X} + box_${x}(${place}), map_${x},
           ${inner} + box % kBoxesInner${X} * kBoxInner${X}, ${outer} + box / kBoxesInner${X} * kBoxOuter${X},
           ${matrix}, stage_full${mask});

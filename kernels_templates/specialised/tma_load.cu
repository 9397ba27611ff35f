// specialised/tma_load.cu: the boxes of ${X}'s k-tile.
#pragma unroll
for (int box = 0; box < kBoxes${X}; ++box)
  ${load}(shared + kOffset${X} + stage * kStageBytes${X} + box_${x}(${place}), map_${x},
           ${inner} + box % kBoxesInner${X} * kBoxInner${X}, ${outer} + box / kBoxesInner${X} * kBoxOuter${X},
           ${matrix}, stage_full${mask});

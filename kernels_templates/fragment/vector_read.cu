// fragment/vector_read.cu: one k-step's values of ${X} from shared memory into registers.
#pragma unroll
for (int i = 0; i < kFragment${X}; i += kReadElems${X})
  read_vector<kReadElems${X}>(
      ${frag}.elem + i, smem_${x} + ${stage} * kStageBytes${X} + read_${x}(${x}_read, ${step} * kFragment${X} + i));

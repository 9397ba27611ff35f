// fragment/vector_read.cu: one k-step's values of ${X} from shared memory into registers.
//   needs: ${x}_read (this thread's base), read_stage, k_step   gives: ${x}_frag
#pragma unroll
for (int i = 0; i < kFragment${X}; i += kReadElems${X})
  read_vector<kReadElems${X}>(
      ${x}_frag + i, smem_${x} + read_stage * kStageBytes${X} + read_${x}(${x}_read, k_step * kFragment${X} + i));

// fragment/vector_read.cu: values of ${X} for one k-step from shared memory into registers.
#pragma unroll
for (int i = ${first}; i < ${end}; ++i)
  read_vector<kReadElems${X}>(
      ${frag}.elem + kReadElems${X} * i,
      smem_${x}${stage_offset} + read_${x}(${x}_read, ${values_before}kReadElems${X} * i));

// fragment/vector_read.cu: values of ${X} for one k-step from shared memory into registers.
//   needs: type Fragment${X}; int kReadElems${X}; int ${x}_read; unsigned char* smem_${x}; int read_${x}(int, int)
//   needs: void read_vector<>(Elem*, const unsigned char*)
//   fills: first = 0; end = 2; frag = FragmentA(); stage_offset = + 0; values_before = 2 +
#pragma unroll
for (int i = ${first}; i < ${end}; ++i)
  read_vector<kReadElems${X}>(
      ${frag}.elem + kReadElems${X} * i,
      smem_${x}${stage_offset} + read_${x}(${x}_read, ${values_before}kReadElems${X} * i));

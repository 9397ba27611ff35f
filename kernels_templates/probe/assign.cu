// probe/assign.cu: a plain assignment.
#pragma unroll
for (int i = 0; i < ${words}; ++i) dst_reg[i] = src_reg[i];

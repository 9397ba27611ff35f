// probe/rows_in.cu: every thread brings the row that it owns and points to row[thread].
__shared__ __align__(128) unsigned src_rows[kThreads][${words}];
#pragma unroll
for (int i = 0; i < ${words}; ++i) src_rows[threadIdx.x][i] = src[thread * ${words} + i];
__syncthreads();
const unsigned src_reg[1] = {static_cast<unsigned>(__cvta_generic_to_shared(src_rows[row[thread]]))};

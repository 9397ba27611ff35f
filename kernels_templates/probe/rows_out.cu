// probe/rows_out.cu: every thread points to row[thread] and fetches what that row holds afterwards.
__shared__ __align__(128) unsigned dst_rows[kThreads][${words}];
#pragma unroll
for (int i = 0; i < ${words}; ++i) dst_rows[threadIdx.x][i] = 0;
__syncthreads();
const unsigned dst_reg[1] = {static_cast<unsigned>(__cvta_generic_to_shared(dst_rows[row[thread]]))};
$[copy]
__syncthreads();
#pragma unroll
for (int i = 0; i < ${words}; ++i) dst[thread * ${words} + i] = dst_rows[row[thread]][i];

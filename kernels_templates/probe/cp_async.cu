// probe/cp_async.cu: from global to shared memory, in a group of its own.
__shared__ __align__(128) unsigned dst_rows[kThreads][${words}];
const unsigned dst_reg[1] = {static_cast<unsigned>(__cvta_generic_to_shared(dst_rows[threadIdx.x]))};
const unsigned long long src_reg[1] = {__cvta_generic_to_global(src + thread * ${words})};
const unsigned src_bytes_reg[1] = {4 * ${words}};
$[copy]
asm volatile("cp.async.commit_group;" ::: "memory");
asm volatile("cp.async.wait_group 0;" ::: "memory");
#pragma unroll
for (int i = 0; i < ${words}; ++i) dst[thread * ${words} + i] = dst_rows[threadIdx.x][i];

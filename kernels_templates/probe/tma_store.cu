// probe/tma_store.cu: the box of this pass goes from shared to global memory.
__shared__ __align__(1024) unsigned src_tile[${words}];
for (int i = threadIdx.x; i < ${words}; i += kThreads) src_tile[i] = src[block * ${words} + i];
asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
__syncthreads();
if (threadIdx.x == 0) {
  const unsigned tile_address = static_cast<unsigned>(__cvta_generic_to_shared(src_tile));
  store_box(map, 0, static_cast<int>(block) * ${outer}, tile_address);
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

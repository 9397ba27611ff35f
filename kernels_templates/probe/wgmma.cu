// probe/wgmma.cu: what threads wrote to shared memory is made visible to the tensor core first.
asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
__syncthreads();
asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
$[multiply]
asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");

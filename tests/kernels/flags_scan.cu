// Running sums over the blocks of a grid in one pass: a block publishes its total and waits for the
// running sum of the block before it. A flag of 32 bits says that 64 lanes of data are there; it is
// stored with release and read with acquire, both at the scope of the GPU.
constexpr int kThreads = 64;

WORD void publish(u32* flag) {
  asm volatile("st.release.gpu.global.b32 [%0], 1;" ::"l"(flag) : "memory");
}
WORD bool is_published(const u32* flag) {
  u32 value;
  asm volatile("ld.acquire.gpu.global.b32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
  return value != 0;
}

extern "C" __global__ void __launch_bounds__(kThreads)
flags_scan(const u32* in, u32* sums, u32* flags, int each) {
  const u32 thread = threadIdx.x;
  u32 sum = 0;
#pragma unroll 1
  for (int i = 0; i < each; ++i) sum += in[(blockIdx.x * each + i) * kThreads + thread];
  if (blockIdx.x > 0) {
    if (thread == 0)
      while (!is_published(flags + blockIdx.x - 1)) {
      }
    __syncthreads();  // what thread 0 has acquired, the block may read
    sum += sums[(blockIdx.x - 1) * kThreads + thread];
  }
  sums[blockIdx.x * kThreads + thread] = sum;
  __syncthreads();  // everyone's sums are stored before one thread says so
  if (thread == 0) publish(flags + blockIdx.x);
}

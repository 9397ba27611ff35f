// Sums over slices of K that different blocks compute. Each slice writes its part to a workspace
// and counts itself; the block that counts last adds the parts in slice order, so that the result
// does not depend on who was last, and leaves the counter at zero for the next launch.
constexpr int kThreads = 64;

extern "C" __global__ void __launch_bounds__(kThreads)
split_k_counter(const int* a, const int* b, int* parts, u32* counters, int* out, int k) {
  __shared__ u32 arrived;
  const int tile = blockIdx.x, slice = blockIdx.y, slices = gridDim.y, column = threadIdx.x;
  int sum = 0;
#pragma unroll 1
  for (int i = slice * k; i < (slice + 1) * k; ++i)
    sum += a[tile * slices * k + i] * b[i * kThreads + column];
  parts[(tile * slices + slice) * kThreads + column] = sum;
  __syncthreads();  // the whole part is stored
  if (threadIdx.x == 0) {
    // Release for the parts of this block, acquire for those of all that counted before.
    u32 before;
    asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(counters + tile) : "memory");
    arrived = before + 1;
  }
  __syncthreads();
  if (arrived != slices) return;
  int total = 0;
#pragma unroll 1
  for (int s = 0; s < slices; ++s) total += parts[(tile * slices + s) * kThreads + column];
  out[tile * kThreads + column] = total;
  if (threadIdx.x == 0) counters[tile] = 0;
}

// y = a·x + y, and the sum of y: two kernels that examples/emulate/launches.json runs one after the
// other.
namespace example {

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void sum(const float* y, float* total, int n) {
  float mine = 0;
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) mine += y[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xFFFFFFFFu, mine, step);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}

}  // namespace example

// Inclusive scans of blocks by shuffles, through cooperative groups' kind of code without them.
#include <cstdint>
#include <limits>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <type_traits>

using namespace thrust;

static const unsigned kAll = 0xFFFFFFFFu;

template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>
__device__ T scanned(T value) {
  for (int step = 1; step < warpSize; step *= 2) {
    const T left = __shfl_up_sync(kAll, value, step);
    if (threadIdx.x % warpSize >= step) value += left;
  }
  return value;
}

__global__ void scan(const int32_t* from, int32_t* to, uint32_t n, int32_t most) {
  __shared__ int32_t warps[32];
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int32_t value = scanned(i < n ? from[i] : 0);
  if (threadIdx.x % 32 == 31) warps[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) warps[threadIdx.x] = scanned(threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0);
  __syncthreads();
  if (threadIdx.x >= 32) value += warps[threadIdx.x / 32 - 1];
  if (i < n) to[i] = value < most ? value : std::numeric_limits<int32_t>::max();
}

int main() {
  const uint32_t n = 3000;
  host_vector<int32_t> numbers(n, 1);
  device_vector<int32_t> from = numbers;
  device_vector<int32_t> to(n);
  scan<<<(n + 255) / 256, 256>>>(raw_pointer_cast(from.data()), raw_pointer_cast(to.data()), n, 1 << 30);
  cudaDeviceSynchronize();
}

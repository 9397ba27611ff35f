// Sums of blocks, then the sum of those: one template, by type and number of threads.
#include <iostream>
#include <numeric>
#include <vector>

template <typename T, unsigned kThreads>
__global__ void block_sums(const T* values, T* sums, unsigned n) {
  __shared__ T room[kThreads];
  T mine = 0;
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < n; i += kThreads * gridDim.x) mine += values[i];
  room[threadIdx.x] = mine;
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) room[threadIdx.x] += room[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = room[0];
}

template <typename T>
T sum_on_device(const std::vector<T>& values) {
  constexpr unsigned kThreads = 128, kBlocks = 32;
  T *device_values, *device_sums, sum;
  cudaMalloc(&device_values, values.size() * sizeof(T));
  cudaMalloc(&device_sums, kBlocks * sizeof(T));
  cudaMemcpy(device_values, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  block_sums<T, kThreads><<<kBlocks, kThreads>>>(device_values, device_sums, values.size());
  block_sums<T, kThreads><<<1, kThreads>>>(device_sums, device_sums, kBlocks);
  cudaMemcpy(&sum, device_sums, sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device_sums);
  cudaFree(device_values);
  return sum;
}

int main() {
  std::vector<int> numbers(100000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::cout << sum_on_device<int>(numbers) << std::endl;
}

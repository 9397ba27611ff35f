// A smoothed line: weights in constant memory, a halo in dynamic shared memory.
#include <algorithm>
#include <cassert>
#include <string>
#include <vector>

#define RADIUS 3
#define WIDTH(radius) (2 * (radius) + 1)

namespace line {

__constant__ float weights[WIDTH(RADIUS)];

struct Range {
  int begin, end;
  __host__ __device__ int size() const { return end - begin; }
  std::string text() const { return std::to_string(begin) + ".." + std::to_string(end); }
};

__device__ int clamped(int i, Range range) {
  return std::min(std::max(i, range.begin), range.end - 1);
}

__global__ void smooth(const float* from, float* to, int n) {
  extern __shared__ float window[];
  const Range range{0, n};
  assert(range.size() > 0);
  const int first = blockIdx.x * blockDim.x - RADIUS;
  for (int i = threadIdx.x; i < blockDim.x + 2 * RADIUS; i += blockDim.x)
    window[i] = from[clamped(first + i, range)];
  __syncthreads();
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < WIDTH(RADIUS); ++k) sum += weights[k] * window[threadIdx.x + k];
  if (at < n) to[at] = sum;
}

}  // namespace line

void run(const float* from, float* to, int n, cudaStream_t stream) {
  const int block = 128;
  line::smooth<<<(n + block - 1) / block, block, (block + 2 * RADIUS) * sizeof(float), stream>>>(from, to, n);
}

int main() {
  std::vector<float> host(5000, 1.0f), weights(WIDTH(RADIUS), 1.0f / WIDTH(RADIUS));
  cudaMemcpyToSymbol(line::weights, weights.data(), sizeof(float) * WIDTH(RADIUS));
  float *from = nullptr, *to = nullptr;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&from, host.size() * sizeof(float));
  cudaMalloc(&to, host.size() * sizeof(float));
  cudaMemcpyAsync(from, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice, stream);
  run(from, to, host.size(), stream);
  cudaStreamSynchronize(stream);
}

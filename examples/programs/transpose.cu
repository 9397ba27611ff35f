// A matrix is transposed twice: with a tile whose rows are padded, and without padding.
#include <chrono>
#include <cstdio>

using namespace std::chrono;

constexpr int TILE = 32;
const int ROWS = 8;

template <int PADDING>
__global__ void transpose(float* to, const float* from, int width, int height) {
  __shared__ float tile[TILE][TILE + PADDING];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) tile[threadIdx.y + j][threadIdx.x] = from[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) to[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 128, height = 64;
  const size_t bytes = width * height * sizeof(float);
  const dim3 grid(width / TILE, height / TILE, 1), block(TILE, ROWS);
  float* host = new float[width * height];
  for (int i = 0; i < width * height; ++i) host[i] = i;
  float *from, *to;
  cudaMalloc((void**)&from, bytes);
  cudaMalloc((void**)&to, bytes);
  cudaMemcpy(from, host, bytes, cudaMemcpyHostToDevice);
  const auto start = high_resolution_clock::now();
  transpose<0><<<grid, block>>>(to, from, width, height);
  cudaDeviceSynchronize();
  const auto between = high_resolution_clock::now();
  transpose<1><<<grid, block>>>(to, from, width, height);
  cudaDeviceSynchronize();
  const duration<double> plain = between - start, padded = high_resolution_clock::now() - between;
  printf("%g s, %g s\n", plain.count(), padded.count());
  delete[] host;
}

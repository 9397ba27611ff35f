// C = A·B by tiles of shared memory, the size of a tile chosen at run time.
#include <cstdio>
#include <random>
#include <vector>

struct Shape {
  int rows, columns;
};

template <int TILE>
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int first = 0; first < k; first += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * k + first + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; ++i) sum += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

class Matrix {
 public:
  Matrix(int rows, int columns) : host_(rows * columns) {
    std::mt19937 random(7);
    for (float &value : host_) value = std::uniform_real_distribution<float>(-1, 1)(random);
  }
  const std::vector<float> &host() const { return host_; }

 private:
  std::vector<float> host_;
};

int main() {
  const int m = 64, n = 96, k = 128;
  int tile = 16;
  Matrix a(m, k), b(k, n);
  float *device_a, *device_b, *device_c;
  cudaMalloc(&device_a, m * k * sizeof(float));
  cudaMalloc(&device_b, k * n * sizeof(float));
  cudaMalloc(&device_c, m * n * sizeof(float));
  cudaMemcpy(device_a, a.host().data(), m * k * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.host().data(), k * n * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(tile, tile);
  dim3 grid(n / block.x, m / block.y);
  if (tile == 16) {
    matmul<16><<<grid, block>>>(device_a, device_b, device_c, m, n, k);
  } else {
    matmul<8><<<grid, block>>>(device_a, device_b, device_c, m, n, k);
  }
  cudaDeviceSynchronize();
}

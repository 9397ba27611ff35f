// D = A·B on the tensor cores, one tile of 16 x 16 a warp.
#include <cuda_fp16.h>
#include <iostream>
#include <mma.h>

using namespace nvcuda;

#define M_TILES 2
#define N_TILES 4
const int kDepth = 64;

__global__ void fill(half* matrix, float value, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) matrix[i] = __float2half(value);
}

__global__ void product(const half* a, const half* b, float* d, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a_tile;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b_tile;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(a_tile, a + row * k + i, k);
    wmma::load_matrix_sync(b_tile, b + column * k + i, k);
    wmma::mma_sync(sum, a_tile, b_tile, sum);
  }
  wmma::store_matrix_sync(d + row * n + column, sum, n, wmma::mem_row_major);
}

int main() {
  int m = 16 * M_TILES, n = 16 * N_TILES;
  half *a, *b;
  float* d;
  cudaMalloc(&a, m * kDepth * sizeof(half));
  cudaMalloc(&b, n * kDepth * sizeof(half));
  cudaMalloc(&d, m * n * sizeof(float));
  fill<<<(m * kDepth + 255) / 256, 256>>>(a, 1.0f, m * kDepth);
  fill<<<(n * kDepth + 255) / 256, 256>>>(b, 0.5f, n * kDepth);
  dim3 grid;
  grid.x = N_TILES;
  grid.y = M_TILES;
  product<<<grid, 32>>>(a, b, d, n, kDepth);
  float first;
  cudaMemcpy(&first, d, sizeof first, cudaMemcpyDeviceToHost);
  std::cout << first << "\n";
}

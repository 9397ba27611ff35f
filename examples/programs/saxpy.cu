// y = a·x + y over managed memory, with a check of every call.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define CHECK(call)                                                    \
  do {                                                                 \
    const cudaError_t status = (call);                                 \
    if (status != cudaSuccess) {                                       \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
      std::exit(EXIT_FAILURE);                                         \
    }                                                                  \
  } while (0)

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main(int count, char** words) {
  int n = 10000;
  if (count > 1) n = std::atoi(words[1]);
  const int threads = 256;
  float *x, *y;
  CHECK(cudaMallocManaged(&x, n * sizeof(float)));
  CHECK(cudaMallocManaged(&y, n * sizeof(float)));
  for (int i = 0; i < n; ++i) x[i] = 1.0f, y[i] = 2.0f;
  saxpy<<<(n + threads - 1) / threads, threads>>>(n, 2.0f, x, y);
  CHECK(cudaDeviceSynchronize());
  float worst = 0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(y[i] - 4.0f));
  std::printf("worst %g\n", worst);
  return worst == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

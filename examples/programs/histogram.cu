// A histogram of bytes, in shared memory first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS 256
#define LENGTH (64 * 1024)

__global__ void histogram(unsigned char *data, long length, unsigned int *bins) {
  __shared__ unsigned int mine[BINS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (long i = threadIdx.x + blockIdx.x * blockDim.x; i < length; i += blockDim.x * gridDim.x)
    atomicAdd(&mine[data[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static unsigned char *random_bytes(int length) {
  unsigned char *bytes = (unsigned char *)malloc(length);
  for (int i = 0; i < length; i++) bytes[i] = rand();
  return bytes;
}

int main(void) {
  unsigned char *bytes = random_bytes(LENGTH), *device_bytes;
  unsigned int *device_bins, bins[BINS];
  cudaMalloc((void **)&device_bytes, LENGTH);
  cudaMemcpy(device_bytes, bytes, LENGTH, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&device_bins, sizeof(bins));
  cudaMemset(device_bins, 0, sizeof(bins));
  histogram<<<16, BINS>>>(device_bytes, LENGTH, device_bins);
  cudaMemcpy(bins, device_bins, sizeof(bins), cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < BINS; i++) sum += bins[i];
  printf("%ld of %d\n", sum, LENGTH);
  free(bytes);
  return 0;
}

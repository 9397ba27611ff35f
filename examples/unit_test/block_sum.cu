// sums[b] = the sum of the 256 values of block b. The kernel under test.
#ifndef BARRIER
#define BARRIER __syncthreads()
#endif

__global__ void block_sum(const float* values, float* sums) {
  __shared__ float partial[256];
  const unsigned thread = threadIdx.x;
  partial[thread] = values[256 * blockIdx.x + thread];
  for (unsigned step = 128; step > 0; step /= 2) {
    BARRIER;
    if (thread < step) partial[thread] += partial[thread + step];
  }
  if (thread == 0) sums[blockIdx.x] = partial[0];
}

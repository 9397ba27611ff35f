// Kernels as people write them, for bench/emulator.py: divergent loops, streams, reductions, local
// and shared memory, integers. ordinary.ptx: nvcc -arch=sm_80 -ptx ordinary.cu

extern "C" __global__ void mandelbrot(int* out, int width, float step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const float cr = x * step - 2.0f, ci = y * step - 1.25f;
  float zr = 0, zi = 0;
  int i = 0;
  while (i < 256 && zr * zr + zi * zi < 4.0f) {
    const float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++i;
  }
  out[y * width + x] = i;
}

extern "C" __global__ void saxpy(const float* x, float* y, int n, float a) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

extern "C" __global__ void sum(const float* x, float* out, int n) {
  __shared__ float part[256];
  float mine = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

extern "C" __global__ void insertion_sort(int* data) {
  int local[64];
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 64;
  for (int i = 0; i < 64; ++i) local[i] = data[first + i];
  for (int i = 1; i < 64; ++i) {
    const int key = local[i];
    int j = i - 1;
    while (j >= 0 && local[j] > key) {
      local[j + 1] = local[j];
      --j;
    }
    local[j + 1] = key;
  }
  for (int i = 0; i < 64; ++i) data[first + i] = local[i];
}

extern "C" __global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void mix(unsigned* out, int rounds) {
  unsigned long long h = 1469598103934665603ull + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 29;
    h += i;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<unsigned>(h);
}

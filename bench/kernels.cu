// Helper kernels of the benchmark, compiled by jute's own compiler: random operands, sampled checks,
// and the clock that the work itself saw. Element kinds count as in device_kernels.hpp.
typedef unsigned long long u64;
typedef long long i64;

enum Kind { kBf16, kF16, kF32, kF64, kE4m3, kS8, kS32 };

__device__ u64 mixed(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// One standard normal draw by the Box-Muller transform.
__device__ float normal(u64 seed, i64 index) {
  const u64 bits = mixed(seed + 0x9e3779b97f4a7c15ull * (u64)(index + 1));
  const float u = ((unsigned)(bits >> 40) + 1) * (1.0f / 16777217.0f);
  const float v = (unsigned)(bits & 0xffffff) * (1.0f / 16777216.0f);
  return sqrtf(-2.0f * logf(u)) * cosf(6.283185307f * v);
}

__device__ unsigned short bf16_of(float value) {
  const unsigned bits = __float_as_uint(value);
  return (unsigned short)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
__device__ unsigned short f16_of(float value) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
__device__ float f16_value(unsigned short bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

// e4m3: sign, 4 exponent bits of bias 7, 3 mantissa bits; the all-ones pattern is NaN.
__device__ float e4m3_value(unsigned char bits) {
  const int exponent = (bits >> 3) & 15, mantissa = bits & 7;
  const float magnitude = exponent == 0 ? mantissa * 0x1p-9f : ldexpf(8.0f + mantissa, exponent - 10);
  return bits & 128 ? -magnitude : magnitude;
}
// Nearest pattern by search: normal draws are small, and speed does not matter here.
__device__ unsigned char e4m3_of(float value) {
  const float magnitude = fminf(fabsf(value), 448.0f);
  int best = 0;
  for (int bits = 1; bits < 127; ++bits)
    if (fabsf(e4m3_value((unsigned char)bits) - magnitude) <
        fabsf(e4m3_value((unsigned char)best) - magnitude))
      best = bits;
  return (unsigned char)(value < 0 ? best | 128 : best);
}

extern "C" __global__ void fill_normal(void* target, i64 count, int kind, u64 seed) {
  const i64 step = (i64)gridDim.x * blockDim.x;
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    const float z = normal(seed, i);
    switch (kind) {
      case kBf16: ((unsigned short*)target)[i] = bf16_of(z); break;
      case kF16: ((unsigned short*)target)[i] = f16_of(z); break;
      case kF32: ((float*)target)[i] = z; break;
      case kF64: ((double*)target)[i] = z; break;
      case kE4m3: ((unsigned char*)target)[i] = e4m3_of(z); break;
      case kS8: ((signed char*)target)[i] = (signed char)fminf(127, fmaxf(-127, rintf(32 * z))); break;
    }
  }
}

__device__ double loaded(const void* source, i64 index, int kind) {
  switch (kind) {
    case kBf16: return __uint_as_float((unsigned)((const unsigned short*)source)[index] << 16);
    case kF16: return f16_value(((const unsigned short*)source)[index]);
    case kF32: return ((const float*)source)[index];
    case kF64: return ((const double*)source)[index];
    case kE4m3: return e4m3_value(((const unsigned char*)source)[index]);
    case kS8: return ((const signed char*)source)[index];
    case kS32: return ((const int*)source)[index];
  }
  return 0;
}

// One block a sample of a packed, row-major D: result = {got, reference, sum of magnitudes}. Sample 0 is
// the last element. `masked` drops the bits of f32 operands that TF32 does not hold.
extern "C" __global__ void check_samples(const void* a, const void* b, const void* d, int m, int n, int k,
                                         int batch, int a_is_col, int b_is_col, int kind, int d_kind,
                                         int masked, u64 seed, double* result) {
  const u64 bits = mixed(seed + 0x9e3779b97f4a7c15ull * (blockIdx.x + 1));
  i64 matrix = (i64)(bits % (u64)batch);
  i64 row = (i64)(mixed(bits + 1) % (u64)m), col = (i64)(mixed(bits + 2) % (u64)n);
  if (blockIdx.x == 0) matrix = batch - 1, row = m - 1, col = n - 1;
  double sum = 0, magnitude = 0;
  for (i64 p = threadIdx.x; p < k; p += blockDim.x) {
    const i64 at_a = matrix * m * k + (a_is_col ? p * m + row : row * k + p);
    const i64 at_b = matrix * n * k + (b_is_col ? col * k + p : p * n + col);
    double left = loaded(a, at_a, kind), right = loaded(b, at_b, kind);
    if (masked) {
      left = __uint_as_float(__float_as_uint((float)left) & ~0x1fffu);
      right = __uint_as_float(__float_as_uint((float)right) & ~0x1fffu);
    }
    sum += left * right;
    magnitude += fabs(left * right);
  }
  __shared__ double sums[256], magnitudes[256];
  sums[threadIdx.x] = sum;
  magnitudes[threadIdx.x] = magnitude;
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) {
      sums[threadIdx.x] += sums[threadIdx.x + half];
      magnitudes[threadIdx.x] += magnitudes[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  result[3 * blockIdx.x] = loaded(d, matrix * m * n + row * n + col, d_kind);
  result[3 * blockIdx.x + 1] = sums[0];
  result[3 * blockIdx.x + 2] = magnitudes[0];
}

// The cycle counter and the wall clock of every SM that a block lands on.
extern "C" __global__ void read_clocks(u64* result) {
  if (threadIdx.x != 0) return;
  unsigned sm;
  u64 nanoseconds;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  const u64 cycles = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  if (sm >= 512) return;
  result[2 * sm] = cycles;
  result[2 * sm + 1] = nanoseconds;
}

// Helper kernels of the race, compiled by jute's own compiler: random operands, and the clock that
// the work itself saw. `type` counts as jute::DType does.
typedef unsigned long long u64;
typedef long long i64;

enum Type { kF16, kBf16, kTf32, kF32, kF64, kE4m3, kE5m2, kS8, kU8, kS32 };

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

// A float of 8 bits: sign, exponent of `bias`, `mantissa_bits`; the patterns up to `largest` are
// numbers.
struct Float8 {
  int mantissa_bits, bias, largest;
};
__device__ float value_of(int pattern, Float8 format) {
  const int exponent = pattern >> format.mantissa_bits;
  const float mantissa = pattern & ((1 << format.mantissa_bits) - 1);
  const float one = 1 << format.mantissa_bits;
  return exponent == 0 ? ldexpf(mantissa / one, 1 - format.bias)
                       : ldexpf(1.0f + mantissa / one, exponent - format.bias);
}
// The nearest pattern by halving: values grow with their patterns.
__device__ unsigned char float8_of(float value, Float8 format) {
  const float magnitude = fabsf(value);
  int below = 0, above = format.largest;
  while (above - below > 1) {
    const int middle = (below + above) / 2;
    if (value_of(middle, format) <= magnitude)
      below = middle;
    else
      above = middle;
  }
  const bool up = value_of(above, format) - magnitude < magnitude - value_of(below, format);
  return (unsigned char)((up ? above : below) | (value < 0 ? 128 : 0));
}

__device__ int integer_of(float value, float least, float most) {
  return (int)fminf(most, fmaxf(least, rintf(value)));
}

extern "C" __global__ void fill_normal(void* target, i64 count, int type, float sigma, u64 seed) {
  const i64 step = (i64)gridDim.x * blockDim.x;
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
    const float z = sigma * normal(seed, i);
    switch (type) {
      case kF16: ((unsigned short*)target)[i] = f16_of(z); break;
      case kBf16: ((unsigned short*)target)[i] = bf16_of(z); break;
      case kTf32: ((unsigned*)target)[i] = __float_as_uint(z) & ~0x1fffu; break;
      case kF32: ((float*)target)[i] = z; break;
      case kF64: ((double*)target)[i] = z * (1.0 + 0x1p-24 * normal(~seed, i)); break;
      case kE4m3: ((unsigned char*)target)[i] = float8_of(z, {3, 7, 126}); break;
      case kE5m2: ((unsigned char*)target)[i] = float8_of(z, {2, 15, 123}); break;
      case kS8: ((signed char*)target)[i] = (signed char)integer_of(z, -127, 127); break;
      case kU8: ((unsigned char*)target)[i] = (unsigned char)integer_of(fabsf(z), 0, 255); break;
      case kS32: ((int*)target)[i] = integer_of(z, -1e6f, 1e6f); break;
    }
  }
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

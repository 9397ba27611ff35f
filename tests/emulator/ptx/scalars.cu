// One kernel a topic; each thread computes a few values from its inputs into out[thread * stride …].
// nvcc -ptx -arch=sm_90a --fmad=false
#include <stdint.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
extern "C" {

__global__ void integers(const int* a, const int* b, int* out) {
  INDEX;
  const int x = a[i], y = b[i];
  const unsigned ux = x, uy = y;
  int* o = out + i * 24;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = __mulhi(x, y);
  o[4] = (int)__umulhi(ux, uy);
  o[5] = y == 0 ? 7 : x / (y == -1 ? 3 : y);
  o[6] = y == 0 ? 7 : x % (y == -1 ? 3 : y);
  o[7] = uy == 0 ? 7 : (int)(ux / uy);
  o[8] = uy == 0 ? 7 : (int)(ux % uy);
  o[9] = min(x, y);
  o[10] = (int)max(ux, uy);
  o[11] = abs(x);
  o[12] = x << (y & 31);
  o[13] = x >> (y & 31);
  o[14] = (int)(ux >> (uy & 31));
  o[15] = __popc(ux) + 100 * __clz(x) + 10000 * __ffs(x);
  o[16] = (int)__brev(ux);
  o[17] = (int)__byte_perm(ux, uy, 0x3175);
  o[18] = (int)__funnelshift_l(ux, uy, uy & 31);
  o[19] = __sad(x, y, 5);
  o[20] = (x & y) | (~x ^ y);
  o[21] = __dp4a(x, y, 11);
  o[22] = (int)((long long)x * y >> 17);
  o[23] = (short)x + (signed char)y + (unsigned char)x + (unsigned short)y;
}

__global__ void wide_integers(const long long* a, const long long* b, long long* out) {
  INDEX;
  const long long x = a[i], y = b[i];
  const unsigned long long ux = x, uy = y;
  long long* o = out + i * 12;
  o[0] = x + y;
  o[1] = x * y;
  o[2] = __mul64hi(x, y);
  o[3] = (long long)__umul64hi(ux, uy);
  o[4] = y == 0 ? 7 : x / (y == -1 ? 3 : y);
  o[5] = uy == 0 ? 7 : (long long)(ux % uy);
  o[6] = x << (y & 63);
  o[7] = x >> (y & 63);
  o[8] = (long long)(ux >> (uy & 63));
  o[9] = __popcll(ux) + 100 * __clzll(x) + 10000 * __ffsll(x);
  o[10] = (long long)__brevll(ux);
  o[11] = x < y ? min(ux, uy) : max(x, y);
}

__global__ void floats(const float* a, const float* b, const float* c, float* out) {
  INDEX;
  const float x = a[i], y = b[i], z = c[i];
  float* o = out + i * 20;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = __fmaf_rn(x, y, z);
  o[4] = x / y;
  o[5] = sqrtf(x);
  o[6] = __frcp_rn(x);
  o[7] = __fadd_rz(x, y);
  o[8] = __fadd_rd(x, y);
  o[9] = __fadd_ru(x, y);
  o[10] = __fmul_rz(x, y);
  o[11] = __fmaf_rz(x, y, z);
  o[12] = __fdiv_ru(x, y);
  o[13] = fminf(x, y);
  o[14] = fmaxf(x, y);
  o[15] = fabsf(x);
  o[16] = copysignf(x, y);
  o[17] = rintf(x);
  o[18] = truncf(x) + floorf(y) + ceilf(z);
  o[19] = __saturatef(x);
}

__global__ void doubles(const double* a, const double* b, const double* c, double* out) {
  INDEX;
  const double x = a[i], y = b[i], z = c[i];
  double* o = out + i * 8;
  o[0] = x + y;
  o[1] = x * y;
  o[2] = __fma_rn(x, y, z);
  o[3] = x / y;
  o[4] = sqrt(x);
  o[5] = __dadd_rz(x, y);
  o[6] = fmin(x, y);
  o[7] = rint(x);
}

__global__ void conversions(const float* a, const double* d, const int* n, long long* out) {
  INDEX;
  const float x = a[i];
  const double y = d[i];
  const int k = n[i];
  long long* o = out + i * 16;
  o[0] = (int)x;
  o[1] = (unsigned)x;
  o[2] = (long long)x;
  o[3] = (long long)(unsigned long long)x;
  o[4] = __float2int_rn(x);
  o[5] = __float2int_rd(x);
  o[6] = __float2int_ru(x);
  o[7] = (int)y;
  o[8] = (long long)y;
  o[9] = __float_as_int((float)y);
  o[10] = __float_as_int(__double2float_rz(y));
  o[11] = __float_as_int((float)k);
  o[12] = __float_as_int(__int2float_rz(k));
  o[13] = __double_as_longlong((double)k);
  o[14] = __float_as_int((float)(unsigned)k);
  o[15] = (signed char)k + 256 * (long long)(unsigned short)k;
}

__global__ void control(const int* a, int* out) {
  INDEX;
  const int x = a[i];
  int steps = 0;
  unsigned v = (unsigned)x % 97u + 1;
  while (v != 1 && steps < 500) {
    v = (v & 1) != 0 ? 3 * v + 1 : v / 2;
    ++steps;
  }
  int sum = 0;
  for (int j = 0; j < (x & 15); ++j) {
    if (j == 3) continue;
    if (j == 11) break;
    switch (j % 5) {
      case 0: sum += 1; break;
      case 1: sum += x; break;
      case 2: sum ^= 0x55; break;
      case 3: sum -= j; // falls through
      default: sum *= 3;
    }
  }
  if ((x & 63) == 7) {
    out[i] = -1;
    return;
  }
  out[i] = steps * 1000003 + sum;
}

__device__ __noinline__ int mix(int a, int b) { return a * 31 + (b ^ (a >> 3)); }
__device__ __noinline__ float scale(float x, int n) {
  float r = x;
  for (int j = 0; j < n; ++j) r = r * 1.5f + 0.25f;
  return r;
}
__global__ void calls(const int* a, float* out) {
  INDEX;
  const int x = a[i];
  int v = mix(x, i);
  if (x & 1) v = mix(v, x);
  out[i] = scale((float)(v & 255), x & 7);
}

__global__ void locals(const int* a, int* out) {
  INDEX;
  int history[16];
  for (int j = 0; j < 16; ++j) history[j] = a[i] + j * j;
  int at = a[i] & 15, sum = 0;
  for (int j = 0; j < 16; ++j) {
    sum = sum * 7 + history[at];
    history[at] += j;
    at = (at * 5 + 3) & 15;
  }
  out[i] = sum;
}

__global__ void warps(const int* a, int* out) {
  INDEX;
  const int lane = threadIdx.x & 31;
  int x = a[i];
  int* o = out + i * 12;
  int sum = x;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  o[0] = sum;
  o[1] = __shfl_up_sync(0xffffffffu, x, 3);
  o[2] = __shfl_down_sync(0xffffffffu, x, 5, 16);
  o[3] = __shfl_sync(0xffffffffu, x, lane * 7, 8);
  o[4] = (int)__ballot_sync(0xffffffffu, x & 1);
  o[5] = __any_sync(0xffffffffu, x == 12345) * 2 + __all_sync(0xffffffffu, x > -2000000000);
  o[6] = (int)__match_any_sync(0xffffffffu, x & 3);
  int all = 0;
  o[7] = (int)__match_all_sync(0xffffffffu, x >> 31, &all);
  o[8] = all;
  o[9] = (int)__reduce_add_sync(0xffffffffu, (unsigned)x);
  o[10] = __reduce_max_sync(0xffffffffu, x);
  // Half a warp, reached along different ways.
  int y = 0;
  if (lane & 1) {
    for (int j = 0; j < lane; ++j) y += j * x;
    y = __shfl_xor_sync(0xaaaaaaaau, y, 2);
  } else {
    y = (int)__reduce_xor_sync(0x55555555u, (unsigned)x);
  }
  o[11] = y;
}

__global__ void block_sum(const int* a, int* out, int n) {
  __shared__ int part[8];
  extern __shared__ int dynamic[];
  int sum = 0;
  for (int j = threadIdx.x; j < n; j += blockDim.x) sum += a[blockIdx.x * n + j];
  dynamic[threadIdx.x] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half >= 32; half /= 2) {
    if (threadIdx.x < half) dynamic[threadIdx.x] += dynamic[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x < 32) {
    int v = dynamic[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (threadIdx.x == 0) part[0] = v;
  }
  const int odd = __syncthreads_count(threadIdx.x & 1);
  const int any = __syncthreads_or(threadIdx.x == 77);
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] + odd * 2 + any;
}

__global__ void atomics(const int* a, int* out, float* total, unsigned long long* wide) {
  INDEX;
  const int x = a[i];
  __shared__ int count[4];
  if (threadIdx.x < 4) count[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&count[x & 3], 1);
  __syncthreads();
  if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
  atomicMin(&out[4], x);
  atomicMax((unsigned*)&out[5], (unsigned)x);
  atomicOr(&out[6], 1 << (x & 31));
  atomicXor(&out[7], x);
  atomicInc((unsigned*)&out[8], 9);
  atomicAdd(total, (float)(x & 7));
  atomicAdd(wide, (unsigned long long)x);
  // A spin lock that lanes of one warp fight for.
  bool done = false;
  while (!done) {
    if (atomicCAS(&out[9], 0, 1) == 0) {
      out[10] = out[10] * 3 + 1;
      __threadfence();
      atomicExch(&out[9], 0);
      done = true;
    }
  }
}

__constant__ int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
__device__ int counter = 40;
__device__ const int* pointer = &counter;
__global__ void variables(int* out) {
  INDEX;
  out[i] = table[i & 7] + *pointer;
}

struct Pair {
  int2 first;
  double second;
};
__global__ void parameters(Pair pair, char small, float* out, short shift) {
  INDEX;
  out[i] = (float)(pair.first.x * 10 + pair.first.y) + (float)pair.second + small + shift;
}
}

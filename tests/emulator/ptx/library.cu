// What the CUDA headers and the math library make of half types and elementary functions.
// nvcc -ptx -arch=sm_90a --fmad=false
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x
extern "C" {
__global__ void halves(const __half2* a, const __half2* b, const __half2* c, __half2* out) {
  INDEX;
  __half2* o = out + i * 8;
  o[0] = __hadd2(a[i], b[i]);
  o[1] = __hmul2(a[i], b[i]);
  o[2] = __hfma2(a[i], b[i], c[i]);
  o[3] = __hmax2(a[i], b[i]);
  o[4] = __hsub2(a[i], b[i]);
  o[5] = __floats2half2_rn(__low2float(a[i]) * 3.0f, __high2float(b[i]) / 3.0f);
  o[6] = __hneg2(a[i]);
  o[7] = __hmin2_nan(a[i], b[i]);
}
__global__ void bfloats(const __nv_bfloat162* a, const __nv_bfloat162* b, const __nv_bfloat162* c, __nv_bfloat162* out) {
  INDEX;
  __nv_bfloat162* o = out + i * 4;
  o[0] = __hadd2(a[i], b[i]);
  o[1] = __hmul2(a[i], b[i]);
  o[2] = __hfma2(a[i], b[i], c[i]);
  o[3] = __floats2bfloat162_rn(__low2float(a[i]) * 3.0f, __high2float(b[i]) / 3.0f);
}
__global__ void fp8(const float2* a, unsigned short* bytes, float2* back) {
  INDEX;
  const __nv_fp8x2_storage_t e4m3 = __nv_cvt_float2_to_fp8x2(a[i], __NV_SATFINITE, __NV_E4M3);
  const __nv_fp8x2_storage_t e5m2 = __nv_cvt_float2_to_fp8x2(a[i], __NV_SATFINITE, __NV_E5M2);
  bytes[i * 2] = e4m3;
  bytes[i * 2 + 1] = e5m2;
  back[i * 2] = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(e4m3, __NV_E4M3)));
  back[i * 2 + 1] = __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(e5m2, __NV_E5M2)));
}
__global__ void functions(const float* a, float* out) {
  INDEX;
  const float x = a[i];
  float* o = out + i * 12;
  o[0] = sinf(x);
  o[1] = cosf(x * 100000.0f);
  o[2] = expf(x);
  o[3] = logf(fabsf(x));
  o[4] = powf(fabsf(x), 1.7f);
  o[5] = tanhf(x);
  o[6] = erff(x);
  o[7] = rsqrtf(fabsf(x));
  o[8] = __expf(x);
  o[9] = cbrtf(x);
  o[10] = fmodf(x, 0.37f);
  o[11] = (float)exp((double)x);
}
__global__ void clocks(long long* out) {
  INDEX;
  const long long begin = clock64();
  const unsigned before = clock();
  out[i] = clock64() > begin && clock() > before ? (long long)__isGlobal(out) + 2 * __isShared(out) : -1;
}
}

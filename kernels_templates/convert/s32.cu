// convert/s32.cu
//   gives: type s32; int to_compute(s32); void from_compute(int, s32*)
typedef int s32;
__device__ __forceinline__ int to_compute(s32 x) { return x; }
__device__ __forceinline__ void from_compute(int x, s32* out) { *out = x; }

// convert/s32.cu (out): rounds to nearest even, saturates; NaN becomes 0.
//   needs: type s32
//   gives: void from_compute(float, s32*), from_compute(double, s32*)
__device__ __forceinline__ void from_compute(float x, s32* out) { *out = __float2int_rn(x); }
__device__ __forceinline__ void from_compute(double x, s32* out) { *out = x == x ? __double2int_rn(x) : 0; }

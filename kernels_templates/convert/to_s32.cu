// convert/to_s32.cu: rounds to nearest even, saturates; NaN becomes 0.
//   needs: type s32
//   gives: void from_compute(float, s32*), from_compute(double, s32*)
__device__ __forceinline__ void from_compute(float x, s32* out) { *out = __float2int_rn(x); }
__device__ __forceinline__ void from_compute(double x, s32* out) { *out = x == x ? __double2int_rn(x) : 0; }

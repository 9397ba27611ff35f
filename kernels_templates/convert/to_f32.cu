// convert/to_f32.cu: rounds to nearest even.
//   needs: type f32
//   gives: void from_compute(double, f32*), from_compute(int, f32*)
__device__ __forceinline__ void from_compute(double x, f32* out) { *out = __double2float_rn(x); }
__device__ __forceinline__ void from_compute(int x, f32* out) { *out = __int2float_rn(x); }

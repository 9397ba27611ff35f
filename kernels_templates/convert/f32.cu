// convert/f32.cu
//   gives: type f32; float to_compute(f32); void from_compute(float, f32*)
typedef float f32;
__device__ __forceinline__ float to_compute(f32 x) { return x; }
__device__ __forceinline__ void from_compute(float x, f32* out) { *out = x; }

// convert/f32.cu (out): rounds to nearest even.
//   needs: type f32
//   gives: void from_compute(double, f32*), from_compute(int, f32*)
__device__ __forceinline__ void from_compute(double x, f32* out) { *out = __double2float_rn(x); }
__device__ __forceinline__ void from_compute(int x, f32* out) { *out = __int2float_rn(x); }

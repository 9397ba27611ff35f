// convert/f32.cu
//   gives: type f32; float to_compute(f32); void from_compute(float, f32*)
typedef float f32;
__device__ __forceinline__ float to_compute(f32 x) { return x; }
__device__ __forceinline__ void from_compute(float x, f32* out) { *out = x; }

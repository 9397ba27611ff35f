// convert/s32.cu
//   gives: type s32; int to_compute(s32); void from_compute(int, s32*)
typedef int s32;
__device__ __forceinline__ int to_compute(s32 x) { return x; }
__device__ __forceinline__ void from_compute(int x, s32* out) { *out = x; }

// convert/s32.cu
typedef int s32;
__device__ __forceinline__ int to_compute(s32 x) { return x; }
__device__ __forceinline__ void from_compute(int x, s32* out) { *out = x; }

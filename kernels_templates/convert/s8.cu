// convert/s8.cu
typedef signed char s8;
__device__ __forceinline__ int to_compute(s8 x) { return x; }

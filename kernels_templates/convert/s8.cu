// convert/s8.cu
//   gives: type s8; int to_compute(s8)
typedef signed char s8;
__device__ __forceinline__ int to_compute(s8 x) { return x; }

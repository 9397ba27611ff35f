// convert/u8.cu
//   gives: type u8; int to_compute(u8)
typedef unsigned char u8;
__device__ __forceinline__ int to_compute(u8 x) { return x; }

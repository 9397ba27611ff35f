// convert/f64.cu
typedef double f64;
__device__ __forceinline__ double to_compute(f64 x) { return x; }
__device__ __forceinline__ void from_compute(double x, f64* out) { *out = x; }

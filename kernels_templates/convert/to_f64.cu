// convert/to_f64.cu: exact.
//   needs: type f64
//   gives: void from_compute(float, f64*), from_compute(int, f64*)
__device__ __forceinline__ void from_compute(float x, f64* out) { *out = x; }
__device__ __forceinline__ void from_compute(int x, f64* out) { *out = x; }

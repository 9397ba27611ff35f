// convert/f64.cu: a result that is no number is the one positive quiet NaN. An f64 unit hands on an
// operand's NaN, and the assembler may exchange operands.
//   gives: type f64; double to_compute(f64); void from_compute(double, f64*)
typedef double f64;
__device__ __forceinline__ double to_compute(f64 x) { return x; }
__device__ __forceinline__ void from_compute(double x, f64* out) {
  *out = x == x ? x : __longlong_as_double(0x7ff8LL << 48);
}

// convert/f64.cu (out): exact.
//   needs: type f64
//   gives: void from_compute(float, f64*), from_compute(int, f64*)
__device__ __forceinline__ void from_compute(float x, f64* out) { *out = x; }
__device__ __forceinline__ void from_compute(int x, f64* out) { *out = x; }

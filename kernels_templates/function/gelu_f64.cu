// function/gelu_f64.cu: x times the normal distribution up to x; at -inf its limit.
//   gives: double gelu_f64(double)
__device__ __forceinline__ double gelu_f64(double x) {
  return x < -1e300 ? -0.0 : x * normcdf(x);
}

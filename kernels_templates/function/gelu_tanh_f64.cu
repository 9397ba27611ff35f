// function/gelu_tanh_f64.cu: x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3). That is
// x/(1 + exp(-2 u)).
//   gives: double gelu_tanh_f64(double)
__device__ __forceinline__ double gelu_tanh_f64(double x) {
  const double twice = x * (1.5957691216057307 + 0.071354816272600249 * (x * x));
  return x / (1.0 + exp(-twice));
}

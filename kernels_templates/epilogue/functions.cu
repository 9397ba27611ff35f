// epilogue/functions.cu (approx_exp2): 2^x to 2 units in the last place; results below 2^-126 are 0.
//   gives: float approx_exp2(float)
__device__ __forceinline__ float approx_exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// epilogue/functions.cu (approx_reciprocal): 1/x to 1 unit in the last place; results below 2^-126 are 0.
//   gives: float approx_reciprocal(float)
__device__ __forceinline__ float approx_reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// epilogue/functions.cu (approx_tanh): tanh(x) in one instruction, with a relative error of 2^-11 (sm_75).
//   gives: float approx_tanh(float)
__device__ __forceinline__ float approx_tanh(float x) {
  float result;
  asm("tanh.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// epilogue/functions.cu (sigmoid): 1/(1 + exp(-x)); -1.4427 is -log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float sigmoid(float)
__device__ __forceinline__ float sigmoid(float x) {
  return approx_reciprocal(__fadd_rn(1.0f, approx_exp2(__fmul_rn(-1.44269504f, x))));
}

// epilogue/functions.cu (silu): x/(1 + exp(-x)), also called swish; -1.4427 is -log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float silu(float)
__device__ __forceinline__ float silu(float x) {
  return __fmul_rn(x, approx_reciprocal(__fadd_rn(1.0f, approx_exp2(__fmul_rn(-1.44269504f, x)))));
}

// epilogue/functions.cu (silu_half): x/2 + x/2 tanh(x/2), which is x/(1 + exp(-x)), to 2^-12 |x|.
//   needs: float approx_tanh(float)
//   gives: float silu_half(float)
__device__ __forceinline__ float silu_half(float x) {
  const float half = __fmul_rn(0.5f, x);
  return __fmaf_rn(half, approx_tanh(half), half);
}

// epilogue/functions.cu (gelu): x times the normal distribution up to x, x/2 (1 + erf(x/sqrt(2))). Its part
// below 0 is exp(-x^2/2) times a polynomial in 1/(1 + 0.362 |x|), to a relative error of 8e-7; from
// |x| = 64 on it is 0. 0.8493 is sqrt(log2(e)/2).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float gelu(float)
__device__ __forceinline__ float gelu(float x) {
  const float size = fminf(fabsf(x), 64.0f), scaled = __fmul_rn(size, 0.849321800f);
  const float t = approx_reciprocal(__fmaf_rn(size, 0.362023234f, 1.0f));
  float part = __fmaf_rn(t, 0.0480396971f, -0.180319279f);
  part = __fmaf_rn(t, part, 0.176978052f);
  part = __fmaf_rn(t, part, 0.0285789799f);
  part = __fmaf_rn(t, part, 0.139526635f);
  part = __fmaf_rn(t, part, 0.142681926f);
  part = __fmul_rn(t, __fmaf_rn(t, part, 0.144514367f));
  part = __fmul_rn(part, approx_exp2(__fmul_rn(-scaled, scaled)));
  return __fmaf_rn(-size, part, x < 0.0f ? 0.0f : x);
}

// epilogue/functions.cu (gelu_half): x times the normal distribution up to x, x/2 (1 + tanh(u)), to 2^-12 |x| and the 1.9e-5 |x|
// to which u is fitted: a polynomial that grows like x from x^2 = 32 on, where tanh is 1. At -inf it is 0.
//   needs: float approx_tanh(float)
//   gives: float gelu_half(float)
__device__ __forceinline__ float gelu_half(float x) {
  const float square = fminf(__fmul_rn(x, x), 32.0f);
  const float u = __fmul_rn(x, __fmaf_rn(square, __fmaf_rn(square, -0.000315807061f, 0.0367982574f), 0.79771781f));
  const float half = fmaxf(__fmul_rn(0.5f, x), -32.0f);
  return __fmaf_rn(half, approx_tanh(u), half);
}

// epilogue/functions.cu (gelu_f64): x times the normal distribution up to x; at -inf its limit.
//   gives: double gelu_f64(double)
__device__ __forceinline__ double gelu_f64(double x) {
  return x < -1e300 ? -0.0 : x * normcdf(x);
}

// epilogue/functions.cu (gelu_tanh): x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3). That is
// x/(1 + exp(-2 u)); the constants are those of u times -2 log2(e).
//   needs: float approx_exp2(float), approx_reciprocal(float)
//   gives: float gelu_tanh(float)
__device__ __forceinline__ float gelu_tanh(float x) {
  const float exponent =
      __fmul_rn(x, __fmaf_rn(__fmul_rn(x, x), -0.102943240f, -2.30220820f));
  return __fmul_rn(x, approx_reciprocal(__fadd_rn(1.0f, approx_exp2(exponent))));
}

// epilogue/functions.cu (gelu_tanh_half): x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3), to 2^-12 |x|.
//   needs: float approx_tanh(float)
//   gives: float gelu_tanh_half(float)
__device__ __forceinline__ float gelu_tanh_half(float x) {
  const float u = __fmul_rn(x, __fmaf_rn(__fmul_rn(x, x), 0.0356774081f, 0.797884561f));
  const float half = __fmul_rn(0.5f, x);
  return __fmaf_rn(half, approx_tanh(u), half);
}

// epilogue/functions.cu (gelu_tanh_f64): x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3). That is
// x/(1 + exp(-2 u)).
//   gives: double gelu_tanh_f64(double)
__device__ __forceinline__ double gelu_tanh_f64(double x) {
  const double twice = x * (1.5957691216057307 + 0.071354816272600249 * (x * x));
  return x / (1.0 + exp(-twice));
}

// epilogue/functions.cu (round_to): x rounded to nearest even to a type with `bits` fewer bits. Below `normal`
// neighbours lie as far apart as those of `anchor`; what exceeds `largest` becomes `beyond`.
//   gives: float round_to(float, int, float, float, float, float)
__device__ __forceinline__ float round_to(float x, int bits, float normal, float anchor,
                                          float largest, float beyond) {
  const float size = fabsf(x);
  const unsigned word = __float_as_uint(size), rest = (1u << bits) - 1u;
  const float kept = __uint_as_float((word + (rest >> 1) + (word >> bits & 1u)) & ~rest);
  const float rounded = size < normal ? __fsub_rn(__fadd_rn(size, anchor), anchor) : kept;
  return x == x ? copysignf(rounded > largest ? beyond : rounded, x) : x;
}

// epilogue/functions.cu (round_to_f64): x rounded to nearest even to a type with `bits` fewer bits. Below
// `normal` neighbours lie as far apart as those of `anchor`; what exceeds `largest` becomes `beyond`.
//   gives: double round_to_f64(double, int, double, double, double, double)
__device__ __forceinline__ double round_to_f64(double x, int bits, double normal, double anchor,
                                               double largest, double beyond) {
  const double size = fabs(x);
  const unsigned long long word = __double_as_longlong(size), rest = (1ull << bits) - 1ull;
  const double kept = __longlong_as_double((word + (rest >> 1) + (word >> bits & 1ull)) & ~rest);
  const double rounded = size < normal ? __dsub_rn(__dadd_rn(size, anchor), anchor) : kept;
  return x == x ? copysign(rounded > largest ? beyond : rounded, x) : x;
}

// epilogue/functions.cu (random_word): the first word of Philox 4x32-10 for the key (seed, 0) and the counter (place, batch).
//   gives: unsigned random_word(int, long long, int)
__device__ __forceinline__ unsigned random_word(int seed, long long place, int batch) {
  unsigned x0 = static_cast<unsigned>(place), x1 = static_cast<unsigned>(place >> 32), x2 = batch, x3 = 0, key0 = seed, key1 = 0;
  #pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, x0), low0 = 0xD2511F53u * x0;
    const unsigned high2 = __umulhi(0xCD9E8D57u, x2), low2 = 0xCD9E8D57u * x2;
    x0 = high2 ^ x1 ^ key0;
    x1 = low2;
    x2 = high0 ^ x3 ^ key1;
    x3 = low0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return x0;
}

// epilogue/functions.cu (stochastic): x, or what is next to it among numbers of `bits` bits behind the first that are no closer
// than 2^(least - 127): away from 0 where the word's upper 24 bits lie below what x is beyond the nearer to 0.
//   gives: float stochastic(float, unsigned, int, int)
__device__ __forceinline__ float stochastic(float x, unsigned word, int bits, int least) {
  const float size = fabsf(x);
  const int step = bits == 0 ? least : max(static_cast<int>(__float_as_uint(size) >> 23) - bits, least);
  const float steps = __fmul_rn(size, __uint_as_float(unsigned(254 - step) << 23)), kept = floorf(steps);
  const bool is_up = __fmul_rn(__uint2float_rn(word >> 8), 5.9604644775390625e-8f) < __fsub_rn(steps, kept);
  const float rounded = __fmul_rn(is_up ? __fadd_rn(kept, 1.0f) : kept, __uint_as_float(unsigned(step) << 23));
  return size < __int_as_float(0x7f800000) ? copysignf(rounded, x) : x;
}

// epilogue/functions.cu (stochastic_bf16): x, or what is next to it among the values of bf16, whose neighbours are 2^16 bits of
// an f32 apart; by the upper 24 bits of the word those that count are the first 16.
//   gives: float stochastic_bf16(float, unsigned)
__device__ __forceinline__ float stochastic_bf16(float x, unsigned word) {
  const unsigned bits = __float_as_uint(x), rest = bits & 0xffffu;
  const bool is_up = word >> 16 < rest;
  return (bits & 0x7f800000u) == 0x7f800000u ? x : __uint_as_float((bits & 0xffff0000u) + (is_up ? 0x10000u : 0u));
}

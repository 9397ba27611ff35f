// function/gelu.cu: x times the normal distribution up to x, x/2 (1 + erf(x/sqrt(2))). Its part
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

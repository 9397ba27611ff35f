// function/round_to_f64.cu: x rounded to nearest even to a type with `bits` fewer bits. Below
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

// probe/small_float.cu: a float of few bits, by integer arithmetic alone; for types that C++ cannot
// multiply. Values that the type holds exactly come back unchanged.
template <int kExponent, int kMantissa>
__device__ float small_to_float(unsigned bits) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  const int exponent = bits >> kMantissa & ((1 << kExponent) - 1);
  const int fraction = bits & ((1 << kMantissa) - 1);
  const float magnitude = exponent == 0
      ? ldexpf(static_cast<float>(fraction), 1 - kBias - kMantissa)
      : ldexpf(static_cast<float>(fraction | 1 << kMantissa), exponent - kBias - kMantissa);
  return bits >> (kExponent + kMantissa) & 1 ? -magnitude : magnitude;
}
// Toward zero.
template <int kExponent, int kMantissa>
__device__ unsigned float_to_small(float value) {
  constexpr int kBias = (1 << (kExponent - 1)) - 1;
  const unsigned sign = value < 0 ? 1u << (kExponent + kMantissa) : 0;
  const unsigned bits = __float_as_uint(fabsf(value));
  if (bits == 0) return sign;
  const int exponent = static_cast<int>(bits >> 23) - 127 + kBias;
  if (exponent <= 0) return sign | static_cast<unsigned>(ldexpf(fabsf(value), kBias - 1 + kMantissa));
  return sign | static_cast<unsigned>(exponent) << kMantissa | (bits & 0x7FFFFF) >> (23 - kMantissa);
}

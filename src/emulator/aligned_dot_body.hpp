// The loop of the aligned sum: eight columns at a time. Included inside a namespace of internal
// linkage by the portable and the AVX2 build.

inline std::int32_t larger(std::int32_t a, std::int32_t b) { return a < b ? b : a; }
inline std::uint32_t clamped_shift(std::int32_t distance) {
  return static_cast<std::uint32_t>(distance > 31 ? 31 : distance);
}

inline void run_aligned_dot(AlignedDot& dot) {
  for (int row = 0; row < dot.rows; ++row) {
    alignas(32) std::int32_t most[kDotColumns];
    alignas(32) std::int32_t sum[kDotColumns] = {};
    const int c_at = row * kDotColumns;
    for (int n = 0; n < kDotColumns; ++n) most[n] = dot.c.exponent[c_at + n];
    for (int k = 0; k < dot.depth; ++k) {
      const std::int32_t a = dot.a.exponent[row * dot.depth + k];
      const std::int32_t* b = dot.b.exponent + k * kDotColumns;
      for (int n = 0; n < kDotColumns; ++n) most[n] = larger(most[n], a + b[n]);
    }
    // Sixteen products of at most 2^27 quanta each fit 31 bits; deeper sums go on in 64.
    alignas(64) std::int64_t total[kDotColumns] = {};
    for (int k = 0; k < dot.depth; ++k) {
      const int a_at = row * dot.depth + k;
      const std::int32_t exponent = dot.a.exponent[a_at];
      const std::uint32_t magnitude = dot.a.magnitude[a_at] << dot.product_shift;
      const std::int32_t a_sign = dot.a.sign[a_at];
      const int b_at = k * kDotColumns;
      for (int n = 0; n < kDotColumns; ++n) {
        const std::uint32_t shift = clamped_shift(most[n] - exponent - dot.b.exponent[b_at + n]);
        const auto term =
            static_cast<std::int32_t>((magnitude * dot.b.magnitude[b_at + n]) >> shift);
        const std::int32_t sign = a_sign ^ dot.b.sign[b_at + n];
        sum[n] += (term ^ sign) - sign;
      }
      if (k % 16 != 15) continue;
      for (int n = 0; n < kDotColumns; ++n) {
        total[n] += sum[n];
        sum[n] = 0;
      }
    }
    for (int n = 0; n < kDotColumns; ++n) {
      const std::uint32_t shift = clamped_shift(most[n] - dot.c.exponent[c_at + n]);
      const auto term =
          static_cast<std::int32_t>((dot.c.magnitude[c_at + n] << dot.c_shift) >> shift);
      const std::int32_t sign = dot.c.sign[c_at + n];
      dot.sum[c_at + n] = total[n] + sum[n] + ((term ^ sign) - sign);
      dot.exponent[c_at + n] = most[n];
    }
  }
}

// Scalar floating point as the PTX ISA defines it: canonical NaNs, flushing, saturation, 16-bit
// types. Included inside the namespaces of the lane rows, before them; no include guard.

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

inline u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
inline u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
inline float float_of(u32 bits) { return __builtin_bit_cast(float, bits); }
inline double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }

/// f32 results are the one canonical NaN; f64 keeps payloads, as x86 does.
inline float canonical(float x) { return x == x ? x : float_of(0x7FFFFFFFU); }
inline double canonical(double x) { return x; }
inline float flush(float x) {
  return (bits_of(x) & 0x7F800000U) == 0 ? float_of(bits_of(x) & 0x80000000U) : x;
}
template <bool Ftz>
float flush_if(float x) {
  return Ftz ? flush(x) : x;
}
template <bool Ftz>
double flush_if(double x) {
  return x;
}
template <bool Sat, class T>
T saturate_if(T x) {
  if constexpr (Sat) return x > T(0) ? (x < T(1) ? x : T(1)) : T(0);
  return x;
}
/// What every arithmetic result passes through.
template <bool Ftz, bool Sat, class T>
T finish(T x) {
  return saturate_if<Sat>(flush_if<Ftz>(canonical(x)));
}

enum class Rounding { nearest, zero, down, up, away };

/// Bits of `value` in a binary format of `exponent_bits` and `mantissa_bits` below 32 bits wide.
/// Overflow goes where the mode sends it: to infinity or to the largest finite value.
inline u32 round_to_format(double value, int exponent_bits, int mantissa_bits, Rounding mode) {
  const u32 sign = static_cast<u32>(bits_of(value) >> 63);
  const u32 infinity = ((1U << exponent_bits) - 1) << mantissa_bits;
  const u32 sign_bit = sign << (exponent_bits + mantissa_bits);
  const u64 magnitude = bits_of(value) & ~(u64{1} << 63);
  if (magnitude > 0x7FF0000000000000ULL) return (1U << (exponent_bits + mantissa_bits)) - 1;
  if (magnitude == 0x7FF0000000000000ULL) return sign_bit | infinity;
  if (magnitude == 0) return sign_bit;
  const int encoded = static_cast<int>(magnitude >> 52);
  const u64 fraction = magnitude & ((u64{1} << 52) - 1);
  const int exponent = (encoded == 0 ? 1 : encoded) - 1023;
  const u64 significand = encoded == 0 ? fraction : fraction | (u64{1} << 52);
  const int least = 2 - (1 << (exponent_bits - 1));
  const int quantum = (exponent > least ? exponent : least) - mantissa_bits;
  const int shift = quantum - (exponent - 52);
  const bool vanishes = shift > 54;
  const u64 kept = vanishes ? 0 : significand >> shift;
  const u64 rest = vanishes ? 1 : significand & ((u64{1} << shift) - 1);
  const u64 half = vanishes ? 2 : u64{1} << (shift - 1);
  bool round_up = false;
  switch (mode) {
    case Rounding::nearest:
      round_up = rest > half || (rest == half && (kept & 1) != 0);
      break;
    case Rounding::away:
      round_up = rest >= half;
      break;
    case Rounding::zero:
      break;
    case Rounding::down:
      round_up = sign != 0 && rest != 0;
      break;
    case Rounding::up:
      round_up = sign == 0 && rest != 0;
      break;
  }
  const u64 rounded = kept + (round_up ? 1 : 0);
  const u64 result =
      exponent >= least ? (static_cast<u64>(exponent - least) << mantissa_bits) + rounded : rounded;
  if (result < infinity) return sign_bit | static_cast<u32>(result);
  const bool to_infinity = mode == Rounding::nearest || mode == Rounding::away ||
                           (mode == Rounding::down && sign != 0) ||
                           (mode == Rounding::up && sign == 0);
  return sign_bit | (to_infinity ? infinity : infinity - 1);
}

struct Half {
  u16 bits;
};
struct Bfloat {
  u16 bits;
};

inline float to_float(Half x) {
  const u32 magnitude = x.bits & 0x7FFFU;
  const u32 sign = (x.bits & 0x8000U) << 16;
  const float scaled = float_of(magnitude << 13) * float_of(0x77800000U);  // 2^112
  const u32 finite = bits_of(scaled) | sign;
  const u32 special = magnitude > 0x7C00U ? 0x7FFFFFFFU : 0x7F800000U | sign;
  return float_of(magnitude >= 0x7C00U ? special : finite);
}
inline float to_float(Bfloat x) { return canonical(float_of(u32{x.bits} << 16)); }

inline Half to_half(float x) {
  const u32 sign = (bits_of(x) >> 16) & 0x8000U;
  const u32 magnitude = bits_of(x) & 0x7FFFFFFFU;
  const u32 odd = (magnitude >> 13) & 1;
  const u32 normal = (magnitude + 0xC8000FFFU + odd) >> 13;
  // The sum rounds a subnormal result at its last bit: 0.5 has quantum 2^-24 in f32.
  const u32 small = bits_of(float_of(magnitude) + 0.5F) - 0x3F000000U;
  u32 result = magnitude < 0x38800000U ? small : normal;
  result = magnitude >= 0x47800000U ? 0x7C00U : result;
  return {static_cast<u16>(magnitude > 0x7F800000U ? 0x7FFFU : result | sign)};
}
inline Bfloat to_bfloat(float x) {
  const u32 bits = bits_of(x);
  const u32 rounded = (bits + 0x7FFFU + ((bits >> 16) & 1)) >> 16;
  return {static_cast<u16>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FFFU : rounded)};
}
inline void narrow(float x, Half& out) { out = to_half(x); }
inline void narrow(float x, Bfloat& out) { out = to_bfloat(x); }

/// The f32 next to x toward zero, its last bit set where x lies between two values: rounding it
/// once more to at most 22 bits gives what rounding x itself would.
inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  u32 bits = bits_of(nearest);
  if (static_cast<double>(nearest) == x || nearest != nearest) return nearest;
  const double magnitude = double_of(bits_of(x) & ~(u64{1} << 63));
  if (static_cast<double>(float_of(bits & 0x7FFFFFFFU)) > magnitude) --bits;
  return float_of(bits | 1);
}
/// a*b+c of 16-bit values, rounded to odd in f64, then in f32: exact for the last rounding.
inline float fma_to_odd(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = c;
  const double sum = product + addend;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (addend - back);
  u64 bits = bits_of(sum);
  if (error != 0 && error == error && (bits & 1) == 0 && (bits << 1) < 0xFFE0000000000000ULL)
    bits += (error > 0) == (sum > 0) ? 1 : u64(-1);
  return round_to_odd(double_of(bits));
}

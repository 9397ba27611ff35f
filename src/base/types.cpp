// Element types as one table of bit fields; exact decoding and singly rounded encoding from it.
#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/types.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>

namespace jute {
namespace {

/// The meaning of patterns beyond the finite values, and where overflow goes.
enum class Beyond : std::uint8_t {
  integer,         // none; saturates
  infinity,        // IEEE infinities and NaNs; overflow gives infinity
  saturating,      // IEEE infinities and NaNs exist; overflow gives the largest finite value
  finite_and_nan,  // one NaN pattern and no infinity; overflow gives the largest finite value
  finite,          // neither; overflow gives the largest value
  exponent,        // powers of two, the last pattern NaN
};

struct Format {
  std::string_view name;
  int width_bits;
  int exponent_bits;  // 0 for integers
  int mantissa_bits;  // stored ones; for integers the bits of the magnitude
  int pad_bits;       // ignored low bits of the storage
  Beyond beyond;
  bool is_signed;
};

// clang-format off
constexpr std::array<Format, kStoredTypeCount> kFormats{{
  // name   width exp mant pad  beyond                   signed
  {"f16",   16,   5,  10,  0,   Beyond::infinity,        true},
  {"bf16",  16,   8,   7,  0,   Beyond::infinity,        true},
  {"tf32",  32,   8,  10, 13,   Beyond::infinity,        true},
  {"f32",   32,   8,  23,  0,   Beyond::infinity,        true},
  {"f64",   64,  11,  52,  0,   Beyond::infinity,        true},
  {"e4m3",   8,   4,   3,  0,   Beyond::finite_and_nan,  true},
  {"e5m2",   8,   5,   2,  0,   Beyond::saturating,      true},
  {"s8",     8,   0,   7,  0,   Beyond::integer,         true},
  {"u8",     8,   0,   8,  0,   Beyond::integer,         false},
  {"s32",   32,   0,  31,  0,   Beyond::integer,         true},
  {"s4",     4,   0,   3,  0,   Beyond::integer,         true},
  {"u4",     4,   0,   4,  0,   Beyond::integer,         false},
  {"e2m1",   4,   2,   1,  0,   Beyond::finite,          true},
  {"ue8m0",  8,   8,   0,  0,   Beyond::exponent,        false},
}};
// clang-format on

constexpr int kDoubleMantissa = 52;
constexpr int kDoubleBias = 1023;

const Format& format_of(DType type) { return kFormats[static_cast<size_t>(type)]; }

constexpr std::uint64_t low_bits(int count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

int bias_of(const Format& f) { return (1 << (f.exponent_bits - 1)) - 1; }

double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kDoubleBias)
                               << kDoubleMantissa);
}

double decode_integer(const Format& f, std::uint64_t bits) {
  bits &= low_bits(f.width_bits);
  const bool negative = f.is_signed && (bits >> (f.width_bits - 1)) != 0;
  const auto value = static_cast<std::int64_t>(bits);
  return static_cast<double>(negative ? value - (std::int64_t{1} << f.width_bits) : value);
}

std::uint64_t encode_integer(const Format& f, double value) {
  if (std::isnan(value)) return 0;
  const double high = power_of_two(f.mantissa_bits) - 1;
  const double low = f.is_signed ? -high - 1 : 0.0;
  if (value >= high) return static_cast<std::uint64_t>(high);
  if (value <= low)
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(low)) & low_bits(f.width_bits);
  const double floor = std::floor(value);
  const double rest = value - floor;
  auto integer = static_cast<std::int64_t>(floor);
  if (rest > 0.5 || (rest == 0.5 && integer % 2 != 0)) ++integer;
  return static_cast<std::uint64_t>(integer) & low_bits(f.width_bits);
}

/// ue8m0: 2^(pattern - 127).
constexpr int kExponentBias = 127;
constexpr std::uint64_t kExponentNan = 0xFF;

double decode_exponent(std::uint64_t bits) {
  bits &= kExponentNan;
  return bits == kExponentNan ? std::numeric_limits<double>::quiet_NaN()
                              : power_of_two(static_cast<int>(bits) - kExponentBias);
}

std::uint64_t encode_exponent(double value) {
  if (std::isnan(value)) return kExponentNan;
  if (value <= 0) return 0;
  constexpr double kMost = kExponentNan - 1;
  const double exponent = std::isinf(value) ? kMost : std::round(std::log2(value)) + kExponentBias;
  return static_cast<std::uint64_t>(std::clamp(exponent, 0.0, kMost));
}

double decode_float(const Format& f, std::uint64_t bits) {
  bits = (bits & low_bits(f.width_bits)) >> f.pad_bits;
  const std::uint64_t mantissa = bits & low_bits(f.mantissa_bits);
  const auto exponent = static_cast<int>((bits >> f.mantissa_bits) & low_bits(f.exponent_bits));
  const bool negative = ((bits >> (f.mantissa_bits + f.exponent_bits)) & 1) != 0;
  const bool top =
      f.beyond != Beyond::finite && exponent == static_cast<int>(low_bits(f.exponent_bits));
  double magnitude = 0;
  if (f.beyond == Beyond::finite_and_nan ? top && mantissa == low_bits(f.mantissa_bits)
                                         : top && mantissa != 0) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (top && f.beyond != Beyond::finite_and_nan) {
    magnitude = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = static_cast<double>(mantissa) * power_of_two(1 - bias_of(f) - f.mantissa_bits);
  } else {
    const auto wide = static_cast<std::uint64_t>(exponent - bias_of(f) + kDoubleBias);
    magnitude = std::bit_cast<double>((wide << kDoubleMantissa) |
                                      (mantissa << (kDoubleMantissa - f.mantissa_bits)));
  }
  return negative ? -magnitude : magnitude;
}

/// Exponent and mantissa fields of a magnitude rounded to nearest even; a carry out of the mantissa
/// runs into the exponent, and may run beyond the largest finite pattern.
std::uint64_t rounded_fields(const Format& f, std::uint64_t double_bits) {
  const auto field = static_cast<int>(double_bits >> kDoubleMantissa);
  if (field == 0) return 0;  // a subnormal double lies far below every smaller type
  const int smallest = 1 - bias_of(f);
  const int exponent = field - kDoubleBias;
  const int shift = kDoubleMantissa - f.mantissa_bits + std::max(0, smallest - exponent);
  if (shift > kDoubleMantissa + 1) return 0;
  const std::uint64_t significand =
      (double_bits & low_bits(kDoubleMantissa)) | (std::uint64_t{1} << kDoubleMantissa);
  std::uint64_t rounded = significand >> shift;
  const std::uint64_t rest = significand & low_bits(shift);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  if (rest > half || (rest == half && (rounded & 1) != 0)) ++rounded;
  if (exponent < smallest) return rounded;
  return (static_cast<std::uint64_t>(exponent - smallest) << f.mantissa_bits) + rounded;
}

std::uint64_t encode_float(const Format& f, double value) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = bits & low_bits(63);
  // NaN becomes the pattern of all ones without the sign, as cvt writes it.
  const std::uint64_t all_ones = low_bits(f.exponent_bits + f.mantissa_bits);
  if (std::isnan(value)) return (all_ones << f.pad_bits) | low_bits(f.pad_bits);
  const std::uint64_t infinity = low_bits(f.exponent_bits) << f.mantissa_bits;
  const std::uint64_t first_beyond = f.beyond == Beyond::finite           ? all_ones + 1
                                     : f.beyond == Beyond::finite_and_nan ? all_ones
                                                                          : infinity;
  std::uint64_t fields = std::isinf(value) ? first_beyond : rounded_fields(f, magnitude);
  if (fields >= first_beyond) fields = f.beyond == Beyond::infinity ? infinity : first_beyond - 1;
  const std::uint64_t sign = (bits >> 63) << (f.exponent_bits + f.mantissa_bits);
  return (sign | fields) << f.pad_bits;
}

}  // namespace

std::string_view name(DType type) { return format_of(type).name; }
int width_bits(DType type) { return format_of(type).width_bits; }
bool is_integer(DType type) { return format_of(type).beyond == Beyond::integer; }

int precision_bits(DType type) {
  const Format& f = format_of(type);
  return f.beyond == Beyond::integer ? f.mantissa_bits : f.mantissa_bits + 1;
}

std::optional<DType> find_dtype(std::string_view name) {
  for (size_t i = 0; i < kFormats.size(); ++i)
    if (kFormats[i].name == name) return static_cast<DType>(i);
  return std::nullopt;
}

namespace {

struct OtherName {
  std::string_view spelling;
  DType type;
};
// Types as C++, CUDA, CUTLASS, numpy, PyTorch, JAX and Triton call them.
constexpr OtherName kOtherNames[] = {
    {"half", DType::f16},
    {"float16", DType::f16},
    {"fp16", DType::f16},
    {"half_t", DType::f16},
    {"__half", DType::f16},
    {"bfloat16", DType::bf16},
    {"bfloat16_t", DType::bf16},
    {"__nv_bfloat16", DType::bf16},
    {"bfloat", DType::bf16},
    {"tfloat32", DType::tf32},
    {"tfloat32_t", DType::tf32},
    {"float", DType::f32},
    {"float32", DType::f32},
    {"fp32", DType::f32},
    {"single", DType::f32},
    {"double", DType::f64},
    {"float64", DType::f64},
    {"fp64", DType::f64},
    {"fp8", DType::e4m3},
    {"float8", DType::e4m3},
    {"f8", DType::e4m3},
    {"float8_e4m3", DType::e4m3},
    {"float8_e4m3fn", DType::e4m3},
    {"e4m3fn", DType::e4m3},
    {"fp8e4nv", DType::e4m3},
    {"float_e4m3_t", DType::e4m3},
    {"fp8_e4m3", DType::e4m3},
    {"float8_e5m2", DType::e5m2},
    {"fp8e5", DType::e5m2},
    {"float_e5m2_t", DType::e5m2},
    {"fp8_e5m2", DType::e5m2},
    {"int8", DType::s8},
    {"int8_t", DType::s8},
    {"i8", DType::s8},
    {"char", DType::s8},
    {"uint8", DType::u8},
    {"uint8_t", DType::u8},
    {"byte", DType::u8},
    {"int", DType::s32},
    {"int32", DType::s32},
    {"int32_t", DType::s32},
    {"i32", DType::s32},
    {"int4", DType::s4},
    {"int4b_t", DType::s4},
    {"i4", DType::s4},
    {"uint4", DType::u4},
    {"uint4b_t", DType::u4},
    {"fp4", DType::e2m1},
    {"float4_e2m1fn", DType::e2m1},
    {"float_e2m1_t", DType::e2m1},
    {"e8m0", DType::ue8m0},
    {"float8_e8m0fnu", DType::ue8m0},
    {"float_ue8m0_t", DType::ue8m0},
};

}  // namespace

std::optional<DType> meant_dtype(std::string_view spelling) {
  for (const std::string_view space : {"cutlass::", "cute::", "torch.", "np.", "numpy.", "jnp."})
    if (spelling.starts_with(space)) spelling.remove_prefix(space.size());
  std::string lower(spelling);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const OtherName& other : kOtherNames)
    if (other.spelling == lower) return other.type;
  return find_dtype(lower);
}

std::optional<DType> nearest_dtype(std::string_view spelling) {
  if (const auto meant = meant_dtype(spelling)) return meant;
  std::vector<std::string> names;
  for (const Format& f : kFormats) names.emplace_back(f.name);
  for (const OtherName& other : kOtherNames) names.emplace_back(other.spelling);
  const auto near = nearest_name(spelling, names);
  return near ? meant_dtype(*near) : std::nullopt;
}

bool names_complex_type(std::string_view spelling) {
  constexpr std::string_view kNames[] = {"c32",
                                         "c64",
                                         "c128",
                                         "complex",
                                         "complex32",
                                         "complex64",
                                         "complex128",
                                         "chalf",
                                         "cfloat",
                                         "cdouble",
                                         "csingle",
                                         "<c8",
                                         "<c16",
                                         "cucomplex",
                                         "cufloatcomplex",
                                         "cudoublecomplex",
                                         "std::complex<float>",
                                         "std::complex<double>"};
  std::string lower(spelling);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kNames, lower) != std::end(kNames);
}

std::string_view rule_of_complex_types() {
  return "complex numbers must be multiplied as real ones: their real and imaginary parts are "
         "Views "
         "of every second element, in four products";
}

DType parse_dtype(std::string_view name) {
  if (const auto found = find_dtype(name)) return *found;
  if (names_complex_type(name))
    jute::refuse(ErrorCode::unknown_name, "type", std::string(name),
                 std::string(rule_of_complex_types()),
                 name.find("128") == name.npos ? "f32" : "f64");
  std::vector<std::string> names;
  for (const Format& f : kFormats) names.emplace_back(f.name);
  const auto near = nearest_dtype(name);
  jute::refuse(ErrorCode::unknown_name, "type", std::string(name),
               "an element type must be one of " + joined(names),
               near ? std::optional(std::string(jute::name(*near))) : std::nullopt);
}

std::ostream& operator<<(std::ostream& out, DType type) { return out << name(type); }

Index byte_count(DType type, Index elems) {
  constexpr int kBitsOfByte = 8;
  const int width = width_bits(type);
  return width >= kBitsOfByte ? checked_mul(elems, width / kBitsOfByte)
                              : ceil_div(elems, Index{kBitsOfByte / width});
}

double decode(DType type, std::uint64_t bits) {
  const Format& f = format_of(type);
  if (type == DType::f64) return std::bit_cast<double>(bits);
  if (f.beyond == Beyond::exponent) return decode_exponent(bits);
  return f.beyond == Beyond::integer ? decode_integer(f, bits) : decode_float(f, bits);
}

std::uint64_t encode(DType type, double value) {
  const Format& f = format_of(type);
  if (type == DType::f64) return std::bit_cast<std::uint64_t>(value);
  if (f.beyond == Beyond::exponent) return encode_exponent(value);
  return f.beyond == Beyond::integer ? encode_integer(f, value) : encode_float(f, value);
}

std::vector<double> decode(DType type, std::span<const std::byte> bytes) {
  constexpr unsigned kHalfBits = 4;
  const auto width = static_cast<size_t>(width_bytes(type));
  if (bytes.size() % width != 0)
    jute::refuse(ErrorCode::not_divisible, "bytes", std::to_string(bytes.size()),
                 "the size of packed " + std::string(name(type)) + " must be a multiple of " +
                     std::to_string(width) + " bytes",
                 std::to_string(bytes.size() / width * width));
  std::vector<double> values;
  values.reserve(bytes.size() / width);
  for (size_t at = 0; at < bytes.size(); at += width) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, width);
    values.push_back(decode(type, bits));
    if (width_bits(type) == kHalfBits) values.push_back(decode(type, bits >> kHalfBits));
  }
  return values;
}

std::vector<std::byte> encode(DType type, std::span<const double> values) {
  constexpr unsigned kHalfBits = 4;
  const auto width = static_cast<size_t>(width_bytes(type));
  std::vector<std::byte> bytes(
      static_cast<size_t>(byte_count(type, static_cast<Index>(values.size()))));
  for (size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t bits = encode(type, values[i]);
    if (width_bits(type) == kHalfBits)
      bytes[i / 2] |= static_cast<std::byte>(bits << i % 2 * kHalfBits);
    else
      std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

}  // namespace jute

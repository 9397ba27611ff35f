// The table of element types.
#include "emulate/launch/element_type.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace jute::command {
namespace {

constexpr auto kFloating = ElementType::Kind::floating;
constexpr auto kSigned = ElementType::Kind::signed_integer;
constexpr auto kUnsigned = ElementType::Kind::unsigned_integer;

// The first of types with one numpy spelling is what a file's elements are taken for.
// clang-format off
constexpr std::array kTypes{
    ElementType{"f16",  "<f2", 2, kFloating, DType::f16},
    ElementType{"f32",  "<f4", 4, kFloating, DType::f32},
    ElementType{"f64",  "<f8", 8, kFloating, DType::f64},
    ElementType{"i8",   "|i1", 1, kSigned,   std::nullopt},
    ElementType{"u8",   "|u1", 1, kUnsigned, std::nullopt},
    ElementType{"i16",  "<i2", 2, kSigned,   std::nullopt},
    ElementType{"u16",  "<u2", 2, kUnsigned, std::nullopt},
    ElementType{"i32",  "<i4", 4, kSigned,   std::nullopt},
    ElementType{"u32",  "<u4", 4, kUnsigned, std::nullopt},
    ElementType{"i64",  "<i8", 8, kSigned,   std::nullopt},
    ElementType{"u64",  "<u8", 8, kUnsigned, std::nullopt},
    ElementType{"bf16", "<u2", 2, kFloating, DType::bf16},
    ElementType{"tf32", "<f4", 4, kFloating, DType::tf32},
    ElementType{"e4m3", "|u1", 1, kFloating, DType::e4m3},
    ElementType{"e5m2", "|u1", 1, kFloating, DType::e5m2},
    ElementType{"s8",   "|i1", 1, kSigned,   std::nullopt},
    ElementType{"s32",  "<i4", 4, kSigned,   std::nullopt},
    ElementType{"s64",  "<i8", 8, kSigned,   std::nullopt},
};
// clang-format on

std::uint64_t low_bits(int bytes) {
  return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
}
std::uint64_t greatest(const ElementType& type) {
  return low_bits(type.bytes) >> (type.kind == kSigned ? 1 : 0);
}
std::int64_t least(const ElementType& type) {
  return type.kind == kSigned ? -static_cast<std::int64_t>(greatest(type)) - 1 : 0;
}

double greatest_finite(const ElementType& type) {
  constexpr double kMost = std::numeric_limits<double>::max();
  const double saturated = decode(*type.dtype, encode(*type.dtype, kMost));
  if (std::isfinite(saturated)) return saturated;
  return decode(*type.dtype, encode(*type.dtype, kMost) - 1);
}

std::optional<std::uint64_t> encode_integer(const ElementType& type, const Number& number) {
  if (const auto* value = std::get_if<std::uint64_t>(&number))
    return *value <= greatest(type) ? std::optional(*value) : std::nullopt;
  if (const auto* value = std::get_if<std::int64_t>(&number)) {
    if (*value >= 0) return encode_integer(type, static_cast<std::uint64_t>(*value));
    if (*value < least(type)) return std::nullopt;
    return static_cast<std::uint64_t>(*value) & low_bits(type.bytes);
  }
  const double value = std::get<double>(number);
  constexpr double kMost = 0x1p63;
  if (!(std::fabs(value) < kMost) || value != std::floor(value)) return std::nullopt;
  return encode_integer(type, static_cast<std::int64_t>(value));
}

}  // namespace

double as_double(const Number& number) {
  return std::visit([](auto each) { return static_cast<double>(each); }, number);
}

const ElementType* find_element_type(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &ElementType::name);
  return found == kTypes.end() ? nullptr : &*found;
}

const ElementType* type_of_descr(std::string_view descr) {
  if (descr == "|b1") return find_element_type("u8");
  const auto found = std::ranges::find(kTypes, descr, &ElementType::descr);
  return found == kTypes.end() ? nullptr : &*found;
}

std::vector<std::string> element_type_names() {
  std::vector<std::string> names;
  for (const ElementType& type : kTypes) names.emplace_back(type.name);
  return names;
}

std::optional<std::uint64_t> encode(const ElementType& type, const Number& number) {
  if (type.is_integer()) return encode_integer(type, number);
  const double value = as_double(number);
  const std::uint64_t bits = encode(*type.dtype, value);
  const bool becomes_infinite = !std::isfinite(decode(*type.dtype, bits));
  const bool is_beyond = becomes_infinite || std::fabs(value) > greatest_finite(type);
  if (std::isfinite(value) && is_beyond) return std::nullopt;
  return bits;
}

std::string range_text(const ElementType& type) {
  if (!type.is_integer()) {
    const std::string most = value_text(type, greatest_finite(type));
    return "a number from -" + most + " to " + most + ", nan, inf or -inf";
  }
  return "a whole number from " + std::to_string(least(type)) + " to " +
         std::to_string(greatest(type));
}

long double decode(const ElementType& type, std::span<const std::byte> bytes, size_t index) {
  const auto width = static_cast<size_t>(type.bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * width, width);
  if (!type.is_integer()) return decode(*type.dtype, bits);
  if (type.kind == kUnsigned || bits <= greatest(type)) return static_cast<long double>(bits);
  return static_cast<long double>(static_cast<std::int64_t>(bits | ~low_bits(type.bytes)));
}

std::string value_text(const ElementType& type, long double value) {
  std::array<char, 64> text;
  const auto put = [&](auto number) {
    const auto [end, status] = std::to_chars(text.data(), text.data() + text.size(), number);
    return std::string(text.data(), end);
  };
  if (type.kind == kUnsigned) return put(static_cast<std::uint64_t>(value));
  if (type.kind == kSigned) return put(static_cast<std::int64_t>(value));
  constexpr long double kPlain = 1e9L;
  if (value == std::floor(value) && std::fabs(value) < kPlain)
    return put(static_cast<std::int64_t>(value));
  // The shortest text of the narrower type reads best: 0.1 and not 0.10000000149011612.
  if (type.bytes <= 4) return put(static_cast<float>(value));
  return put(static_cast<double>(value));
}

}  // namespace jute::command

// Small integers in the bits of any value type.
#include "proof/probe_values.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace jute::proof {
namespace {

/// Floats that are no DType: exponent bits (bias 1 or 3) and mantissa bits.
struct SmallFloat {
  std::string_view name;
  int exponent = 0;
  int mantissa = 0;
};
constexpr std::array kSmallFloats = {SmallFloat{"e2m1", 2, 1}, SmallFloat{"e3m2", 3, 2},
                                     SmallFloat{"e2m3", 2, 3}};

const SmallFloat* find_small_float(const ValueType& type) {
  for (const SmallFloat& row : kSmallFloats)
    if (row.name == type.name) return &row;
  return nullptr;
}

double decode_small(const SmallFloat& type, std::uint64_t bits) {
  const int bias = (1 << (type.exponent - 1)) - 1;
  const int exponent = static_cast<int>(bits >> type.mantissa & ((1U << type.exponent) - 1));
  const int fraction = static_cast<int>(bits & ((1U << type.mantissa) - 1));
  const int significand = exponent == 0 ? fraction : fraction + (1 << type.mantissa);
  const double magnitude = std::ldexp(significand, std::max(exponent, 1) - bias - type.mantissa);
  return (bits >> (type.exponent + type.mantissa) & 1) != 0 ? -magnitude : magnitude;
}

std::uint64_t encode_small(const SmallFloat& type, double value) {
  const std::uint64_t count = std::uint64_t{1} << (1 + type.exponent + type.mantissa);
  std::uint64_t nearest = 0;
  for (std::uint64_t bits = 1; bits < count; ++bits)
    if (std::fabs(decode_small(type, bits) - value) <
        std::fabs(decode_small(type, nearest) - value))
      nearest = bits;
  return nearest;
}

/// The real type of one part.
ValueType part_type(const ValueType& type) {
  if (type.name == "c32") return value_type(DType::f32);
  if (type.name == "c64" || type.name == "gc64") return value_type(DType::f64);
  const auto colon = type.name.find(':');
  return colon == std::string_view::npos ? type : parse_value_type(type.name.substr(colon + 1));
}

bool is_signed(const ValueType& type) { return type.name.starts_with('s'); }
std::uint64_t mask(int width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

}  // namespace

int parts(const ValueType& type) {
  if (type.name == "gc64") return 3;
  return type.name == "c32" || type.name == "c64" ? 2 : 1;
}

ProbeEncoder::ProbeEncoder(const ValueType& type) : type_(part_type(type)), part_bits_(type_.bits) {
  while (largest_ < kLargest && value(encoded(largest_ + 1)) == largest_ + 1) ++largest_;
  for (Index i = 0; i <= largest_; ++i) table_.push_back(encoded(i));
}

std::uint64_t ProbeEncoder::encoded(Index value) const {
  if (const SmallFloat* small = find_small_float(type_))
    return encode_small(*small, static_cast<double>(value));
  if (type_.dtype) return jute::encode(*type_.dtype, static_cast<double>(value));
  return static_cast<std::uint64_t>(value) & mask(part_bits_);
}

Index ProbeEncoder::value(std::uint64_t bits) const {
  double number = 0;
  if (const SmallFloat* small = find_small_float(type_)) {
    number = decode_small(*small, bits);
  } else if (type_.dtype) {
    number = jute::decode(*type_.dtype, bits);
  } else {
    const bool negative = is_signed(type_) && (bits >> (part_bits_ - 1) & 1) != 0;
    return static_cast<Index>(negative ? bits | ~mask(part_bits_) : bits);
  }
  return number == std::floor(number) && std::fabs(number) < 1e15 ? static_cast<Index>(number) : -1;
}

void put_bits(std::span<std::byte> bytes, Index offset, int width, std::uint64_t value) {
  while (width > 0) {
    const int shift = static_cast<int>(offset % 8);
    const int count = std::min(8 - shift, width);
    std::byte& byte = bytes[static_cast<size_t>(offset / 8)];
    const auto cleared = static_cast<unsigned>(byte) & ~(((1U << count) - 1) << shift);
    const auto set = static_cast<unsigned>(value & ((1U << count) - 1)) << shift;
    byte = static_cast<std::byte>(cleared | set);
    value >>= count;
    offset += count;
    width -= count;
  }
}

std::uint64_t get_bits(std::span<const std::byte> bytes, Index offset, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int shift = static_cast<int>(offset % 8);
    const int count = std::min(8 - shift, width - done);
    const auto byte = static_cast<unsigned>(bytes[static_cast<size_t>(offset / 8)]);
    value |= std::uint64_t{(byte >> shift) & ((1U << count) - 1)} << done;
    done += count;
    offset += count;
  }
  return value;
}

}  // namespace jute::proof

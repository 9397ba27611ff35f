// Small integers and their patterns in every element type.
#include "kernels/values.hpp"

#include <bit>
#include <cstring>
#include <stdexcept>

namespace jute::test {
namespace {

struct FloatFormat {
  int exponent_bits, mantissa_bits;
};
FloatFormat float_format(DType type) {
  switch (type) {
    case DType::f16:
      return {5, 10};
    case DType::bf16:
      return {8, 7};
    case DType::f32:
    case DType::tf32:
      return {8, 23};
    case DType::e4m3:
      return {4, 3};
    case DType::e5m2:
      return {5, 2};
    default:
      throw std::logic_error("no float type");
  }
}

/// The pattern of an integer that the format holds.
std::uint32_t float_bits(int value, FloatFormat format) {
  if (value == 0) return 0;
  const auto size = static_cast<std::uint32_t>(value < 0 ? -value : value);
  const int exponent = std::bit_width(size) - 1, bias = (1 << (format.exponent_bits - 1)) - 1;
  const int up = format.mantissa_bits - exponent;
  if (up < 0 && (size & ((1U << -up) - 1)) != 0) throw std::logic_error("not held exactly");
  const std::uint32_t mantissa =
      (up >= 0 ? size << up : size >> -up) & ((1U << format.mantissa_bits) - 1);
  const auto sign = static_cast<std::uint32_t>(value < 0);
  return sign << (format.exponent_bits + format.mantissa_bits) |
         static_cast<std::uint32_t>(exponent + bias) << format.mantissa_bits | mantissa;
}

}  // namespace

std::uint64_t mixed(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t x = (seed << 32) + index + 1;
  x *= 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93ULL;
  x = (x ^ (x >> 29)) * 0xD6E8FEB86659FD93ULL;
  return x ^ (x >> 32);
}

std::vector<int> integers(std::uint64_t seed, size_t count, int low, int high) {
  std::vector<int> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = low + static_cast<int>(mixed(seed, i) % static_cast<std::uint64_t>(high - low + 1));
  return values;
}

std::vector<std::uint32_t> words(std::uint64_t seed, size_t count) {
  std::vector<std::uint32_t> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint32_t>(mixed(seed, i));
  return values;
}

std::vector<std::byte> encode(const std::vector<int>& values, DType type) {
  const auto width = static_cast<size_t>(width_bytes(type));
  std::vector<std::byte> bytes(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = is_integer(type) ? static_cast<std::uint32_t>(values[i])
                                                : float_bits(values[i], float_format(type));
    std::memcpy(bytes.data() + i * width, &bits, width);
  }
  return bytes;
}

std::vector<int> transposed(const std::vector<int>& rows, int width) {
  const auto w = static_cast<size_t>(width), h = rows.size() / w;
  std::vector<int> columns(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) columns[i % w * h + i / w] = rows[i];
  return columns;
}

std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, int m, int n,
                         int k) {
  std::vector<int> d(static_cast<size_t>(m) * static_cast<size_t>(n));
  const auto at = [k](const std::vector<int>& x, int row, int depth) {
    return x[static_cast<size_t>(row) * static_cast<size_t>(k) + static_cast<size_t>(depth)];
  };
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int depth = 0; depth < k; ++depth) sum += at(a, row, depth) * at(b, column, depth);
      d[static_cast<size_t>(row) * static_cast<size_t>(n) + static_cast<size_t>(column)] = sum;
    }
  return d;
}

}  // namespace jute::test

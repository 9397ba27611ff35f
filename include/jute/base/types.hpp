#pragma once
// Element types: names, widths and exact host conversions, all from one table.
#include <jute/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Offsets, extents and strides everywhere.
using Index = std::int64_t;

/// An element type. The spelling of each is its `name`. Those behind s32 are stored and converted,
/// never computed with: 4-bit operands, two a byte, and ue8m0, the powers of two of scales.
enum class DType : std::uint8_t {
  f16,
  bf16,
  tf32,
  f32,
  f64,
  e4m3,
  e5m2,
  s8,
  u8,
  s32,
  s4,
  u4,
  e2m1,
  ue8m0
};

/// The types that kernels compute with, which come first; all types.
inline constexpr int kDTypeCount = 10, kStoredTypeCount = 14;

[[nodiscard]] std::string_view name(DType type);
/// Storage width; tf32 is stored in 32 bits.
[[nodiscard]] int width_bits(DType type);
/// Bytes that hold one element; two of 4 bits share theirs, so that many are asked for by
/// byte_count.
[[nodiscard]] inline int width_bytes(DType type) { return (width_bits(type) + 7) / 8; }
/// Bytes of so many elements that lie one behind the other.
///   throws  overflow
[[nodiscard]] Index byte_count(DType type, Index elems);
/// Is it one that kernels only convert?
[[nodiscard]] inline bool is_stored_only(DType type) {
  return static_cast<int>(type) >= kDTypeCount;
}
[[nodiscard]] bool is_integer(DType type);
/// Bits of the significand with the hidden one: f16 11, bf16 8, tf32 11, f32 24, f64 53, e4m3 4,
/// e5m2 3, e2m1 2, ue8m0 1; for an integer type the bits of its magnitude.
[[nodiscard]] int precision_bits(DType type);
[[nodiscard]] std::optional<DType> find_dtype(std::string_view name);
/// The type that another library's name means.   example  meant_dtype("__nv_bfloat16") == bf16
[[nodiscard]] std::optional<DType> meant_dtype(std::string_view spelling);
/// The type whose name, here or elsewhere, is nearest to a misspelled one.
[[nodiscard]] std::optional<DType> nearest_dtype(std::string_view spelling);
/// throws  unknown_name: lists the known types and the nearest one
[[nodiscard]] DType parse_dtype(std::string_view name);
/// Does the word mean complex numbers, as numpy, PyTorch, C++ or CUDA say it? jute has no such
/// type.
[[nodiscard]] bool names_complex_type(std::string_view spelling);
/// The rule about them: how real products make a complex one.
[[nodiscard]] std::string_view rule_of_complex_types();
std::ostream& operator<<(std::ostream& out, DType type);

/// The value that a bit pattern stands for (low width_bits count; tf32 drops its low 13 bits).
[[nodiscard]] double decode(DType type, std::uint64_t bits);
/// The bit pattern nearest to a value: round to nearest even; integers round to nearest even and
/// saturate; e4m3 and e5m2 saturate to their largest finite value as cvt.satfinite does (PTX ISA,
/// cvt), e2m1 likewise; f16 and bf16 overflow to infinity; tf32 rounds to nearest even into 32
/// bits; ue8m0 takes the power of two that is nearest by its exponent's half.
[[nodiscard]] std::uint64_t encode(DType type, double value);

/// Whole arrays; `bytes` holds packed elements in host byte order, of 4 bits two a byte, the first
/// in the low half. Their number is even then, or a last half is left over.
[[nodiscard]] std::vector<double> decode(DType type, std::span<const std::byte> bytes);
[[nodiscard]] std::vector<std::byte> encode(DType type, std::span<const double> values);

}  // namespace jute

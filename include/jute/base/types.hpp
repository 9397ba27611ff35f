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

/// An element type. The spelling of each is its `name`.
enum class DType : std::uint8_t { f16, bf16, tf32, f32, f64, e4m3, e5m2, s8, u8, s32 };

inline constexpr int kDTypeCount = 10;

[[nodiscard]] std::string_view name(DType type);
/// Storage width; tf32 is stored in 32 bits.
[[nodiscard]] int width_bits(DType type);
[[nodiscard]] inline int width_bytes(DType type) { return width_bits(type) / 8; }
[[nodiscard]] bool is_integer(DType type);
/// Bits of the significand with the hidden one: f16 11, bf16 8, tf32 11, f32 24, f64 53, e4m3 4,
/// e5m2 3; for an integer type the bits of its magnitude.
[[nodiscard]] int precision_bits(DType type);
[[nodiscard]] std::optional<DType> find_dtype(std::string_view name);
/// The type that another library's name means.   example  meant_dtype("__nv_bfloat16") == bf16
[[nodiscard]] std::optional<DType> meant_dtype(std::string_view spelling);
/// The type whose name, here or elsewhere, is nearest to a misspelled one.
[[nodiscard]] std::optional<DType> nearest_dtype(std::string_view spelling);
/// throws  unknown_name: lists the known types and the nearest one
[[nodiscard]] DType parse_dtype(std::string_view name);
std::ostream& operator<<(std::ostream& out, DType type);

/// The value that a bit pattern stands for (low width_bits count; tf32 drops its low 13 bits).
[[nodiscard]] double decode(DType type, std::uint64_t bits);
/// The bit pattern nearest to a value: round to nearest even; integers round to nearest even and
/// saturate; e4m3 and e5m2 saturate to their largest finite value as cvt.satfinite does (PTX ISA,
/// cvt); f16 and bf16 overflow to infinity; tf32 rounds to nearest even into 32 bits.
[[nodiscard]] std::uint64_t encode(DType type, double value);

/// Whole arrays; `bytes` holds packed elements in host byte order.
[[nodiscard]] std::vector<double> decode(DType type, std::span<const std::byte> bytes);
[[nodiscard]] std::vector<std::byte> encode(DType type, std::span<const double> values);

}  // namespace jute

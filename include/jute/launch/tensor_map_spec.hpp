#pragma once
// What a TMA tensor map describes, before any driver or address is involved.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

enum class TmaSwizzle : std::uint8_t { none, b32, b64, b128 };
/// The bytes within which a mode exchanges chunks of 16 bytes; one chunk where nothing moves.
///   source  CUDA Driver API, cuTensorMapEncodeTiled
[[nodiscard]] constexpr Index swizzle_span_bytes(TmaSwizzle swizzle) {
  return Index{16} << static_cast<int>(swizzle);
}

enum class TmaOutOfBounds : std::uint8_t { zero, nan };

/// Integers that tensor maps have and no DType is.
enum class TmaInteger : std::uint8_t { u16, u32, s64, u64 };

/// Innermost dimension first, as cuTensorMapEncodeTiled takes it.
struct TensorMapSpec {
  DType type = DType::f32;
  std::vector<Index> dims = {};           ///< extents in elements
  std::vector<Index> strides_bytes = {};  ///< of dims 1…, one fewer than dims; dim 0 is contiguous
  std::vector<Index> box = {};            ///< extents of one transfer in elements
  std::vector<Index> element_strides = {};
  TmaSwizzle swizzle = TmaSwizzle::none;
  TmaOutOfBounds out_of_bounds = TmaOutOfBounds::zero;
  std::optional<TmaInteger> integer = {};  ///< where given, elements are these and not `type`
  bool operator==(const TensorMapSpec&) const = default;
};

/// Bytes of an element.
[[nodiscard]] int width_bytes(const TensorMapSpec& spec);

/// `bf16 dims (64,128) strides (256) box (64,64) steps (1,1) swizzle 128B oob zero`
[[nodiscard]] std::string to_string(const TensorMapSpec& spec);

/// Every rule that the spec breaks, with base address `base` (0: not known yet, not checked). The
/// operand is the broken field, or `tensor_map` when there are several.
///   source  CUDA Driver API, cuTensorMapEncodeTiled
[[nodiscard]] std::optional<Error> check(const TensorMapSpec& spec, std::uint64_t base = 0);

/// The legal spec with each broken field moved as little as its rule asks; nothing for a rank that
/// no tensor map has.
[[nodiscard]] std::optional<TensorMapSpec> nearest_legal(TensorMapSpec spec);

}  // namespace jute

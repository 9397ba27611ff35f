#pragma once
// The emulator's own tensor map behind the 128 bytes of a driver's.
#include <jute/base/error.hpp>
#include <jute/launch/signature.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace jute::emulator {

/// Element types of tensor maps by the numbers that tensormap.replace gives them (PTX ISA, new_val
/// of tensormap.replace, elemtype).
enum class MapElement : std::uint8_t {
  u8,
  u16,
  u32,
  s32,
  u64,
  s64,
  f16,
  f32,
  f32_ftz,
  f64,
  bf16,
  tf32,
  tf32_ftz,
};
inline constexpr int kMapElements = 13;
[[nodiscard]] Index width_bytes(MapElement type);

/// Everything a TMA instruction needs. Innermost dimension first. tensormap.replace stores single
/// fields of it.
struct TensorMap {
  std::uint64_t magic = 0;
  std::uint64_t base = 0;
  std::array<std::uint64_t, 4> strides{};  ///< bytes, of dimensions 1…
  std::array<std::uint32_t, 5> last{};     ///< extent - 1 of each dimension
  std::array<std::uint32_t, 5> box{};
  std::array<std::uint32_t, 5> steps{};
  std::uint32_t rank = 0;
  std::uint8_t type = 0;  ///< a MapElement
  std::uint8_t swizzle = 0;
  std::uint8_t out_of_bounds = 0;
};
inline constexpr Index kMapBytes = 128;
static_assert(sizeof(TensorMap) <= kMapBytes);
/// TensorMap::magic of a map that the host has encoded, and of one that kernels have changed.
inline constexpr std::uint64_t kEncodedMap = 0x6A75'7465'2D74'6D61;   // "jute-tma"
inline constexpr std::uint64_t kReplacedMap = 0x6A75'7465'2D74'6D72;  // "jute-tmr"

/// throws  illegal_tensor_map with every broken rule
[[nodiscard]] EncodedTensorMap encode_tensor_map(const TensorMapSpec& spec, DevicePointer base);
/// Nothing for bytes that are no tensor map.
[[nodiscard]] std::optional<TensorMap> decode_tensor_map(std::span<const std::byte> bytes);
/// The rules that a map breaks whose fields kernels have replaced; encoded ones were checked.
[[nodiscard]] std::optional<Error> check_replaced(const TensorMap& map);

}  // namespace jute::emulator

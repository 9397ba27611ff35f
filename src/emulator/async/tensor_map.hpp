#pragma once
// The emulator's own tensor map behind the 128 bytes of a driver's.
#include <jute/launch/signature.hpp>
#include <jute/launch/tensor_map_spec.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace jute::emulator {

/// What a TMA instruction needs to know. Innermost dimension first.
struct TensorMap {
  std::uint64_t magic = 0;
  std::uint64_t base = 0;
  std::array<std::uint64_t, 4> strides{};  ///< bytes, of dimensions 1…
  std::array<std::uint32_t, 5> last{};     ///< extent - 1 of each dimension
  std::array<std::uint16_t, 5> box{};
  std::array<std::uint8_t, 5> steps{};
  std::uint8_t rank = 0;
  std::uint8_t type = 0;
  std::uint8_t swizzle = 0;
  std::uint8_t out_of_bounds = 0;
};
static_assert(sizeof(TensorMap) <= 128);

/// throws  illegal_tensor_map with every broken rule
[[nodiscard]] EncodedTensorMap encode_tensor_map(const TensorMapSpec& spec, DevicePointer base);
/// Nothing for bytes that encode_tensor_map did not make.
[[nodiscard]] std::optional<TensorMap> decode_tensor_map(std::span<const std::byte> bytes);

}  // namespace jute::emulator

// Encodes and decodes the emulator's private tensor maps.
#include "emulator/async/tensor_map.hpp"

#include <jute/base/error.hpp>

#include <cstring>
#include <utility>

namespace jute::emulator {
namespace {
constexpr std::uint64_t kMagic = 0x6A75'7465'2D74'6D61;  // "jute-tma"
}

EncodedTensorMap encode_tensor_map(const TensorMapSpec& spec, DevicePointer base) {
  if (auto error = check(spec, base)) throw Exception(*std::move(error));
  TensorMap map;
  map.magic = kMagic;
  map.base = base;
  map.rank = static_cast<std::uint8_t>(spec.dims.size());
  map.type = static_cast<std::uint8_t>(spec.type);
  map.swizzle = static_cast<std::uint8_t>(spec.swizzle);
  map.out_of_bounds = static_cast<std::uint8_t>(spec.out_of_bounds);
  for (size_t i = 0; i < spec.dims.size(); ++i) {
    map.last[i] = static_cast<std::uint32_t>(spec.dims[i] - 1);
    map.box[i] = static_cast<std::uint16_t>(spec.box[i]);
    map.steps[i] = static_cast<std::uint8_t>(spec.element_strides[i]);
    if (i > 0) map.strides[i - 1] = static_cast<std::uint64_t>(spec.strides_bytes[i - 1]);
  }
  EncodedTensorMap encoded;
  std::memcpy(encoded.bytes.data(), &map, sizeof(map));
  return encoded;
}

std::optional<TensorMap> decode_tensor_map(std::span<const std::byte> bytes) {
  TensorMap map;
  if (bytes.size() < sizeof(map)) return std::nullopt;
  std::memcpy(&map, bytes.data(), sizeof(map));
  if (map.magic != kMagic || map.rank < 1 || map.rank > 5) return std::nullopt;
  return map;
}

}  // namespace jute::emulator

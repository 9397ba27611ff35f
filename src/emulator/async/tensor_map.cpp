// Encodes and decodes the emulator's private tensor maps.
#include "emulator/async/tensor_map.hpp"

#include <jute/base/error.hpp>

#include <cstring>
#include <utility>

namespace jute::emulator {
namespace {

struct ElementRow {
  Index bytes;
  DType like;  ///< whose rules for boxes and fills it has
};
constexpr std::array<ElementRow, kMapElements> kElements{{
    {1, DType::u8},
    {2, DType::f16},
    {4, DType::s32},
    {4, DType::s32},
    {8, DType::f64},
    {8, DType::f64},
    {2, DType::f16},
    {4, DType::f32},
    {4, DType::f32},
    {8, DType::f64},
    {2, DType::bf16},
    {4, DType::tf32},
    {4, DType::tf32},
}};

MapElement element_of(const TensorMapSpec& spec) {
  constexpr std::array kIntegers{MapElement::u16, MapElement::u32, MapElement::s64,
                                 MapElement::u64};
  if (spec.integer) return kIntegers[static_cast<size_t>(*spec.integer)];
  switch (spec.type) {
    case DType::f16:
      return MapElement::f16;
    case DType::bf16:
      return MapElement::bf16;
    case DType::tf32:
      return MapElement::tf32;
    case DType::f32:
      return MapElement::f32;
    case DType::f64:
      return MapElement::f64;
    case DType::s32:
      return MapElement::s32;
    default:
      return MapElement::u8;
  }
}

}  // namespace

Index width_bytes(MapElement type) { return kElements[static_cast<size_t>(type)].bytes; }

EncodedTensorMap encode_tensor_map(const TensorMapSpec& spec, DevicePointer base) {
  if (auto error = check(spec, base)) throw Exception(*std::move(error));
  TensorMap map;
  map.magic = kEncodedMap;
  map.base = base;
  map.rank = static_cast<std::uint32_t>(spec.dims.size());
  map.type = static_cast<std::uint8_t>(element_of(spec));
  map.swizzle = static_cast<std::uint8_t>(spec.swizzle);
  map.out_of_bounds = static_cast<std::uint8_t>(spec.out_of_bounds);
  for (size_t i = 0; i < spec.dims.size(); ++i) {
    map.last[i] = static_cast<std::uint32_t>(spec.dims[i] - 1);
    map.box[i] = static_cast<std::uint32_t>(spec.box[i]);
    map.steps[i] = static_cast<std::uint32_t>(spec.element_strides[i]);
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
  if (map.magic != kEncodedMap && map.magic != kReplacedMap) return std::nullopt;
  if (map.rank < 1 || map.rank > 5 || map.type >= kMapElements) return std::nullopt;
  return map;
}

std::optional<Error> check_replaced(const TensorMap& map) {
  if (map.magic == kEncodedMap) return std::nullopt;
  TensorMapSpec spec;
  spec.type = kElements[map.type].like;
  for (size_t i = 0; i < map.rank; ++i) {
    spec.dims.push_back(Index{map.last[i]} + 1);
    spec.box.push_back(map.box[i]);
    spec.element_strides.push_back(map.steps[i]);
    if (i > 0) spec.strides_bytes.push_back(static_cast<Index>(map.strides[i - 1]));
  }
  spec.swizzle = static_cast<TmaSwizzle>(map.swizzle);
  spec.out_of_bounds = static_cast<TmaOutOfBounds>(map.out_of_bounds);
  return check(spec, map.base);
}

}  // namespace jute::emulator

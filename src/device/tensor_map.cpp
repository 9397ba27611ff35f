// Encodes tensor maps with the driver.
#include "device/tensor_map.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/launch/tensor_map_type.hpp>

#include <algorithm>
#include <array>

namespace jute::device {
namespace {

constexpr int kInterleaveNone = 0;
constexpr int kL2Promotion256B = 3;

constexpr size_t kMaxRank = 5;

template <class T>
std::array<T, kMaxRank> narrowed(const std::vector<Index>& values) {
  std::array<T, kMaxRank> result{};
  std::ranges::transform(values, result.begin(), [](Index value) { return static_cast<T>(value); });
  return result;
}

}  // namespace

Status encode_unchecked(const DriverContext& context, const TensorMapSpec& spec, DevicePointer base,
                        EncodedTensorMap& map) {
  const Driver& driver = context.driver();
  if (driver.encode_tiled == nullptr)
    jute::refuse(ErrorCode::unsupported, "cuTensorMapEncodeTiled", "",
                 "the driver must be of CUDA 12.0 or later");
  const auto dims = narrowed<std::uint64_t>(spec.dims);
  const auto strides = narrowed<std::uint64_t>(spec.strides_bytes);
  const auto box = narrowed<std::uint32_t>(spec.box);
  const auto element_strides = narrowed<std::uint32_t>(spec.element_strides);
  const CurrentContext current(context);
  return driver.encode_tiled(
      map.bytes.data(), driver_type(spec), static_cast<std::uint32_t>(spec.dims.size()),
      reinterpret_cast<void*>(static_cast<std::uintptr_t>(base)), dims.data(), strides.data(),
      box.data(), element_strides.data(), kInterleaveNone, static_cast<int>(spec.swizzle),
      kL2Promotion256B, static_cast<int>(spec.out_of_bounds));
}

EncodedTensorMap encode_tensor_map(const DriverContext& context, const TensorMapSpec& spec,
                                   DevicePointer base) {
  if (auto error = check(spec, base)) throw Exception(std::move(*error));
  EncodedTensorMap map;
  context.driver().require("cuTensorMapEncodeTiled", encode_unchecked(context, spec, base, map));
  return map;
}

}  // namespace jute::device

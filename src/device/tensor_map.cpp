// Encodes tensor maps with the driver.
#include "device/tensor_map.hpp"

#include <jute/base/error.hpp>

#include <algorithm>
#include <array>

namespace jute::device {
namespace {

constexpr int kInterleaveNone = 0;
constexpr int kL2Promotion256B = 3;

/// CUtensorMapDataType, in the order of DType. 8-bit floats travel as bytes: a copy does not care,
/// and zero fill is zero.
constexpr std::array<int, kDTypeCount> kDataTypes{
    6,   // f16: FLOAT16
    9,   // bf16: BFLOAT16
    11,  // tf32: TFLOAT32
    7,   // f32: FLOAT32
    8,   // f64: FLOAT64
    0,   // e4m3: UINT8
    0,   // e5m2: UINT8
    0,   // s8: UINT8
    0,   // u8: UINT8
    3,   // s32: INT32
};

/// The same of integers that no DType is.
constexpr std::array<int, 4> kIntegers{
    1,  // u16: UINT16
    2,  // u32: UINT32
    5,  // s64: INT64
    4,  // u64: UINT64
};
int data_type(const TensorMapSpec& spec) {
  return spec.integer ? kIntegers[static_cast<size_t>(*spec.integer)]
                      : kDataTypes[static_cast<size_t>(spec.type)];
}

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
    throw Exception({.code = ErrorCode::unsupported,
                     .operand = "cuTensorMapEncodeTiled",
                     .violated_rules = {"the driver must be of CUDA 12.0 or later"}});
  const auto dims = narrowed<std::uint64_t>(spec.dims);
  const auto strides = narrowed<std::uint64_t>(spec.strides_bytes);
  const auto box = narrowed<std::uint32_t>(spec.box);
  const auto element_strides = narrowed<std::uint32_t>(spec.element_strides);
  const CurrentContext current(context);
  return driver.encode_tiled(
      map.bytes.data(), data_type(spec), static_cast<std::uint32_t>(spec.dims.size()),
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

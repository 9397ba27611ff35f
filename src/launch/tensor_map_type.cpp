// The driver's numbers of element types.
#include <jute/launch/tensor_map_type.hpp>

#include <array>

namespace jute {
namespace {

/// In the order of DType.
constexpr std::array<int, kStoredTypeCount> kDataTypes{
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
    0,   // s4, by bytes
    0,   // u4
    0,   // e2m1
    0,   // ue8m0
};

/// Integers that no DType is.
constexpr std::array<int, 4> kIntegers{
    1,  // u16: UINT16
    2,  // u32: UINT32
    5,  // s64: INT64
    4,  // u64: UINT64
};

}  // namespace

int driver_type(const TensorMapSpec& spec) {
  return spec.integer ? kIntegers[static_cast<size_t>(*spec.integer)]
                      : kDataTypes[static_cast<size_t>(spec.type)];
}

}  // namespace jute

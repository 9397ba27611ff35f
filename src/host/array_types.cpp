// The table of element types as arrays have them.
#include <jute/host/array_types.hpp>

#include <algorithm>
#include <array>

namespace jute {
namespace {

// By the libraries' own names, which say how bits are read: ml_dtypes' float8_e4m3 has infinities.
// dlpack.h, DLDataTypeCode: 0 int, 1 unsigned, 2 float, 4 bfloat, 10 e4m3fn, 12 e5m2.
constexpr std::array kArrayTypes{ArrayType{DType::f32, "float32", "<f4", true, 2},
                                 ArrayType{DType::bf16, "bfloat16", "<u2", false, 4},
                                 ArrayType{DType::f16, "float16", "<f2", true, 2},
                                 ArrayType{DType::f64, "float64", "<f8", true, 2},
                                 ArrayType{DType::e4m3, "float8_e4m3fn", "|u1", false, 10},
                                 ArrayType{DType::e5m2, "float8_e5m2", "|u1", false, 12},
                                 ArrayType{DType::s8, "int8", "|i1", true, 0},
                                 ArrayType{DType::u8, "uint8", "|u1", true, 1},
                                 ArrayType{DType::s32, "int32", "<i4", true, 0},
                                 ArrayType{DType::ue8m0, "float8_e8m0fnu", "|u1"},
                                 ArrayType{DType::s4, "int4", "|u1"},
                                 ArrayType{DType::u4, "uint4", "|u1"},
                                 ArrayType{DType::e2m1, "float4_e2m1fn", "|u1"},
                                 ArrayType{DType::tf32, "float32", "<f4"}};
static_assert(kArrayTypes.size() == kStoredTypeCount);

}  // namespace

std::span<const ArrayType> array_types() { return kArrayTypes; }

const ArrayType& array_type(DType type) {
  return *std::ranges::find(kArrayTypes, type, &ArrayType::type);
}

std::optional<DType> type_of_array(std::string_view name) {
  const auto found = std::ranges::find(kArrayTypes, name, &ArrayType::name);
  return found == kArrayTypes.end() ? std::nullopt : std::optional(found->type);
}

std::optional<DType> type_of_dlpack(int code, int bits) {
  for (const ArrayType& row : kArrayTypes)
    if (row.dlpack == code && width_bits(row.type) == bits) return row.type;
  return std::nullopt;
}

}  // namespace jute

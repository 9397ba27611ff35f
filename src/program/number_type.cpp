// A table of types by their spellings.
#include <jute/program/number_type.hpp>

#include <algorithm>
#include <array>
#include <set>

#include "program/token.hpp"

namespace jute {
namespace {

using program::CudaToken;

// clang-format off
constexpr std::array kTypes = {
    NumberType{"float", "f32", 1, 4},          NumberType{"double", "f64", 1, 8},
    NumberType{"int", "i32", 1, 4},            NumberType{"signed", "i32", 1, 4},
    NumberType{"signed int", "i32", 1, 4},     NumberType{"int32_t", "i32", 1, 4},
    NumberType{"unsigned", "u32", 1, 4},       NumberType{"unsigned int", "u32", 1, 4},
    NumberType{"uint", "u32", 1, 4},           NumberType{"uint32_t", "u32", 1, 4},
    NumberType{"char", "i8", 1, 1},            NumberType{"signed char", "i8", 1, 1},
    NumberType{"int8_t", "i8", 1, 1},          NumberType{"unsigned char", "u8", 1, 1},
    NumberType{"uchar", "u8", 1, 1},           NumberType{"uint8_t", "u8", 1, 1},
    NumberType{"bool", "u8", 1, 1},            NumberType{"void", "u8", 1, 1},
    NumberType{"short", "i16", 1, 2},          NumberType{"int16_t", "i16", 1, 2},
    NumberType{"short int", "i16", 1, 2},      NumberType{"unsigned short", "u16", 1, 2},
    NumberType{"ushort", "u16", 1, 2},         NumberType{"uint16_t", "u16", 1, 2},
    NumberType{"long", "i64", 1, 8},           NumberType{"long long", "i64", 1, 8},
    NumberType{"long int", "i64", 1, 8},       NumberType{"long long int", "i64", 1, 8},
    NumberType{"int64_t", "i64", 1, 8},        NumberType{"ptrdiff_t", "i64", 1, 8},
    NumberType{"unsigned long", "u64", 1, 8},  NumberType{"unsigned long long", "u64", 1, 8},
    NumberType{"unsigned long long int", "u64", 1, 8},
    NumberType{"ulong", "u64", 1, 8},          NumberType{"uint64_t", "u64", 1, 8},
    NumberType{"size_t", "u64", 1, 8},         NumberType{"std::size_t", "u64", 1, 8},
    NumberType{"half", "f16", 1, 2},           NumberType{"__half", "f16", 1, 2},
    NumberType{"half2", "f16", 2, 2},          NumberType{"__half2", "f16", 2, 2},
    NumberType{"nv_bfloat16", "bf16", 1, 2},   NumberType{"__nv_bfloat16", "bf16", 1, 2},
    NumberType{"nv_bfloat162", "bf16", 2, 2},  NumberType{"__nv_bfloat162", "bf16", 2, 2},
    NumberType{"__nv_fp8_e4m3", "e4m3", 1, 1}, NumberType{"__nv_fp8_e5m2", "e5m2", 1, 1},
    NumberType{"float2", "f32", 2, 4},         NumberType{"float3", "f32", 3, 4},
    NumberType{"float4", "f32", 4, 4},         NumberType{"double2", "f64", 2, 8},
    NumberType{"double3", "f64", 3, 8},        NumberType{"double4", "f64", 4, 8},
    NumberType{"int2", "i32", 2, 4},           NumberType{"int3", "i32", 3, 4},
    NumberType{"int4", "i32", 4, 4},           NumberType{"uint2", "u32", 2, 4},
    NumberType{"uint3", "u32", 3, 4},          NumberType{"uint4", "u32", 4, 4},
    NumberType{"char2", "i8", 2, 1},           NumberType{"char4", "i8", 4, 1},
    NumberType{"uchar2", "u8", 2, 1},          NumberType{"uchar3", "u8", 3, 1},
    NumberType{"uchar4", "u8", 4, 1},          NumberType{"short2", "i16", 2, 2},
    NumberType{"short4", "i16", 4, 2},         NumberType{"ushort2", "u16", 2, 2},
    NumberType{"ushort4", "u16", 4, 2},        NumberType{"longlong2", "i64", 2, 8},
    NumberType{"ulonglong2", "u64", 2, 8},     NumberType{"cuComplex", "f32", 2, 4},
    NumberType{"cuFloatComplex", "f32", 2, 4}, NumberType{"cuDoubleComplex", "f64", 2, 8},
};
// clang-format on

const std::set<std::string_view> kQualifiers{
    "const",    "volatile",          "restrict", "__restrict__", "__restrict", "static", "extern",
    "register", "__grid_constant__", "struct",   "typename",     "constexpr",  "inline"};

}  // namespace

const NumberType* find_number_type(std::string_view spelling) {
  const auto found = std::ranges::find(kTypes, spelling, &NumberType::spelling);
  return found == kTypes.end() ? nullptr : &*found;
}

std::string bare_type(std::string_view type) {
  std::vector<CudaToken> left;
  for (const CudaToken& token : program::tokens_of(type)) {
    const bool is_mark = token.text == "*" || token.text == "&" || token.text == "&&";
    if (!is_mark && !kQualifiers.contains(token.text)) left.push_back(token);
  }
  return program::joined_text(left);
}

}  // namespace jute

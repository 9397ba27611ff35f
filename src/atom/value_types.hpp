#pragma once
// The table of value types, usable in constant expressions.
#include <jute/atom/value_type.hpp>

#include <array>

namespace jute::atom {

// clang-format off
inline constexpr std::array kValueTypes = {
//         name            PTX      CuTe              tag      bits  GEMM element, values in one element
ValueType{"f16",          "f16",   "half_t",         "F16",    16,  DType::f16},
ValueType{"bf16",         "bf16",  "bfloat16_t",     "BF16",   16,  DType::bf16},
ValueType{"tf32",         "tf32",  "tfloat32_t",     "TF32",   32,  DType::tf32},
ValueType{"f32",          "f32",   "float",          "F32",    32,  DType::f32},
ValueType{"f64",          "f64",   "double",         "F64",    64,  DType::f64},
ValueType{"e4m3",         "e4m3",  "float_e4m3_t",   "E4M3",    8,  DType::e4m3},
ValueType{"e5m2",         "e5m2",  "float_e5m2_t",   "E5M2",    8,  DType::e5m2},
ValueType{"e2m1",         "e2m1",  "float_e2m1_t",   "E2M1",    4,  {}},
ValueType{"e3m2",         "e3m2",  "float_e3m2_t",   "E3M2",    6,  {}},
ValueType{"e2m3",         "e2m3",  "float_e2m3_t",   "E2M3",    6,  {}},
ValueType{"ue8m0",        "ue8m0", "float_ue8m0_t",  "UE8M0",   8,  {}},
ValueType{"ue4m3",        "ue4m3", "float_ue4m3_t",  "UE4M3",   8,  {}},
ValueType{"s4",           "s4",    "int4_t",         "S4",      4,  {}},
ValueType{"s8",           "s8",    "int8_t",         "S8",      8,  DType::s8},
ValueType{"s16",          "s16",   "int16_t",        "S16",    16,  {}},
ValueType{"s32",          "s32",   "int32_t",        "S32",    32,  DType::s32},
ValueType{"s64",          "s64",   "int64_t",        "S64",    64,  {}},
ValueType{"u1",           "b1",    "uint1_t",        "U1",      1,  {}},
ValueType{"u2",           "b2",    "uint2_t",        "U2",      2,  {}},
ValueType{"u4",           "u4",    "uint4_t",        "U4",      4,  {}},
ValueType{"u6",           "b6",    "uint6_t",        "U6",      6,  {}},
ValueType{"u8",           "u8",    "uint8_t",        "U8",      8,  DType::u8},
ValueType{"u16",          "u16",   "uint16_t",       "U16",    16,  {}},
ValueType{"u32",          "u32",   "uint32_t",       "U32",    32,  {}},
ValueType{"u64",          "u64",   "uint64_t",       "U64",    64,  {}},
ValueType{"u128",         "b128",  "uint128_t",      "U128",  128,  {}},
ValueType{"u256",         "b256",  "uint256_t",      "U256",  256,  {}},
ValueType{"c32",          "",      "complex<float>", "C32",    64,  {}},  // complex of f32
ValueType{"c64",          "",      "complex<double>","C64",   128,  {}},  // complex of f64
ValueType{"c16",          "",      "complex<half_t>","C16",    32,  {}},  // interleaved complex, by the type of a part
ValueType{"cbf16",        "",      "complex<bfloat16_t>", "CBF16", 32, {}},
ValueType{"ctf32",        "",      "complex<tfloat32_t>", "CTF32", 64, {}},
ValueType{"gc64",         "",      "",               "GC64",  192,  {}},  // Gauss's three real parts
ValueType{"sparse2:f16",   "f16",   "",               "",         16,  {}, 2},
ValueType{"sparse2:bf16",  "bf16",  "",               "",         16,  {}, 2},
ValueType{"sparse2:tf32",  "tf32",  "",               "",         32,  {}, 2},
ValueType{"sparse2:e4m3",  "e4m3",  "",               "",          8,  {}, 2},
ValueType{"sparse2:e5m2",  "e5m2",  "",               "",          8,  {}, 2},
ValueType{"sparse2:s8",    "s8",    "",               "",          8,  {}, 2},
ValueType{"sparse2:u8",    "u8",    "",               "",          8,  {}, 2},
// Values below a byte fill byte containers when they are sparse.
ValueType{"sparse2:e2m1",  "e2m1",  "",               "",          8,  {}, 2},
ValueType{"sparse2:e3m2",  "e3m2",  "",               "",          8,  {}, 2},
ValueType{"sparse2:e2m3",  "e2m3",  "",               "",          8,  {}, 2},
// Metadata, and pairs of e2m1.
ValueType{"sparse4:u8",    "b8",    "",               "",          8,  {}, 4},
ValueType{"sparse8:u8",    "b8",    "",               "",          8,  {}, 8},
ValueType{"sparse16:u8",   "b8",    "",               "",          8,  {}, 16},
};

/// Other C++ spellings of the same types.
struct TypeAlias { std::string_view alias, name; };
inline constexpr std::array kTypeAliases = {
TypeAlias{"int", "s32"},       TypeAlias{"unsigned", "u32"},  TypeAlias{"unsignedint", "u32"},
TypeAlias{"int4b_t", "s4"},    TypeAlias{"uint4b_t", "u4"},   TypeAlias{"uint1b_t", "u1"},
TypeAlias{"__half", "f16"},    TypeAlias{"__nv_bfloat16", "bf16"}, TypeAlias{"signedchar", "s8"},
TypeAlias{"char", "s8"},       TypeAlias{"unsignedchar", "u8"},
};
// clang-format on

/// The type of that table name; for rows, whose names are known to be there.
constexpr ValueType type_named(std::string_view name) {
  for (const ValueType& type : kValueTypes)
    if (type.name == name) return type;
  throw "no such value type";
}

}  // namespace jute::atom

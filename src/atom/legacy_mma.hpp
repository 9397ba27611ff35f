#pragma once
// Multiply-add without warps: plain C++, dot products of one thread and Volta's quadpairs.
#include "atom/family.hpp"

namespace jute::atom {

inline constexpr std::string_view kEveryType =
    "f32 f64 f16 bf16 tf32 e4m3 e5m2 e2m1 e3m2 e2m3 s8 u8 s16 u16 s32 u32 s64 u64 c32 c64";
inline constexpr std::string_view kOneValue = "(1,1):(0,0)";

// Fragments as (thread, value) -> m + M*k for A, n + N*k for B, m + M*n for C.
// Source: PTX ISA, matrix fragments for mma.m8n8k4 with .f16: a quadpair is lanes 0-3 and 16-19.
inline constexpr std::string_view kQuadPair = "(4,2):(1,16)";
inline constexpr std::string_view kRow8x4 = "(8,4):(1,8)";
inline constexpr std::string_view kCol8x4 = "((4,2),4):((8,4),1)";
inline constexpr std::string_view kC16bit = "(8,8):(1,8)";
inline constexpr std::string_view kC32bit = "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))";
inline constexpr std::string_view kQuadPairSource = "PTX ISA, matrix fragments for mma.m8n8k4";
inline constexpr Arch kSm61{61}, kSm70{70};

/// One of Volta's eight: the layouts of A and B follow from which dimension is contiguous.
consteval MmaFamily quadpair(std::string_view name, std::string_view d, Major a, Major b,
                             std::string_view ptx) {
  return {.name = name,
          .arch = kSm70,
          .isa = {6, 4},
          .form = MmaForm::mma,
          .m = {8, 8},
          .n = {8, 8},
          .k = {4, 4},
          .d = d,
          .a = "f16",
          .b = "f16",
          .a_tv = a == Major::k ? kRow8x4 : kCol8x4,
          .b_tv = b == Major::k ? kRow8x4 : kCol8x4,
          .c_tv = d == "f16" ? kC16bit : kC32bit,
          .ptx = ptx,
          .source = kQuadPairSource,
          .thr_id = kQuadPair,
          .a_major = a,
          .b_major = b};
}

// clang-format off
inline constexpr std::array kLegacyMma = {
MmaFamily{.name = "UniversalFMA<{D.cute}>", .arch = {}, .isa = {}, .form = MmaForm::fma,
          .m = {1, 1}, .n = {1, 1}, .k = {1, 1}, .d = kEveryType, .a = "=D", .b = "=D",
          .a_tv = kOneValue, .b_tv = kOneValue, .c_tv = kOneValue, .ptx = "",
          .source = "C++ d = a * b + c", .thr_id = "1:0"},
MmaFamily{.name = "UniversalFMA<{D.cute},{A.cute}>", .arch = {}, .isa = {}, .form = MmaForm::fma,
          .m = {1, 1}, .n = {1, 1}, .k = {1, 1}, .d = kEveryType, .a = kEveryType, .b = "=A",
          .a_tv = kOneValue, .b_tv = kOneValue, .c_tv = kOneValue, .ptx = "",
          .source = "C++ d = a * b + c", .thr_id = "1:0", .listed = false},
MmaFamily{.name = "UniversalFMA<{D.cute},{A.cute},{B.cute}>", .arch = {}, .isa = {}, .form = MmaForm::fma,
          .m = {1, 1}, .n = {1, 1}, .k = {1, 1}, .d = kEveryType, .a = kEveryType, .b = kEveryType,
          .a_tv = kOneValue, .b_tv = kOneValue, .c_tv = kOneValue, .ptx = "",
          .source = "C++ d = a * b + c", .thr_id = "1:0", .listed = false},
MmaFamily{.name = "UniversalFMA<{D.cute},{A.cute},{B.cute},{C.cute}>", .arch = {}, .isa = {}, .form = MmaForm::fma,
          .m = {1, 1}, .n = {1, 1}, .k = {1, 1}, .d = kEveryType, .a = kEveryType, .b = kEveryType,
          .a_tv = kOneValue, .b_tv = kOneValue, .c_tv = kOneValue, .ptx = "",
          .source = "C++ d = a * b + c", .c = kEveryType, .thr_id = "1:0", .listed = false},

MmaFamily{.name = "SM61_DP4A", .arch = kSm61, .isa = {5, 0}, .form = MmaForm::dp,
          .m = {1, 1}, .n = {1, 1}, .k = {4, 4}, .d = "s32", .a = "s8", .b = "s8",
          .a_tv = "(1,4):(0,1)", .b_tv = "(1,4):(0,1)", .c_tv = kOneValue,
          .ptx = "dp4a.s32.s32", .source = "PTX ISA, dp4a", .thr_id = "1:0"},
// The mnemonic is CuTe's; the PTX ISA wants .lo or .hi between dp2a and the types.
MmaFamily{.name = "SM61_DP2A", .arch = kSm61, .isa = {5, 0}, .form = MmaForm::dp,
          .m = {1, 1}, .n = {1, 1}, .k = {2, 2}, .d = "s32", .a = "s16", .b = "s16",
          .a_tv = "(1,2):(0,1)", .b_tv = "(1,2):(0,1)", .c_tv = kOneValue,
          .ptx = "dp2a.s32.s32", .source = "PTX ISA, dp2a", .thr_id = "1:0"},

quadpair("SM70_8x8x4_F16F16F16F16_TN", "f16", Major::k,  Major::k,  "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16"),
quadpair("SM70_8x8x4_F16F16F16F16_NT", "f16", Major::mn, Major::mn, "mma.sync.aligned.m8n8k4.col.row.f16.f16.f16.f16"),
quadpair("SM70_8x8x4_F16F16F16F16_NN", "f16", Major::mn, Major::k,  "mma.sync.aligned.m8n8k4.col.col.f16.f16.f16.f16"),
quadpair("SM70_8x8x4_F16F16F16F16_TT", "f16", Major::k,  Major::mn, "mma.sync.aligned.m8n8k4.row.row.f16.f16.f16.f16"),
quadpair("SM70_8x8x4_F32F16F16F32_TN", "f32", Major::k,  Major::k,  "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32"),
quadpair("SM70_8x8x4_F32F16F16F32_NT", "f32", Major::mn, Major::mn, "mma.sync.aligned.m8n8k4.col.row.f32.f16.f16.f32"),
quadpair("SM70_8x8x4_F32F16F16F32_NN", "f32", Major::mn, Major::k,  "mma.sync.aligned.m8n8k4.col.col.f32.f16.f16.f32"),
quadpair("SM70_8x8x4_F32F16F16F32_TT", "f32", Major::k,  Major::mn, "mma.sync.aligned.m8n8k4.row.row.f32.f16.f16.f32"),
};
// clang-format on

}  // namespace jute::atom

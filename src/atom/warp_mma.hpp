#pragma once
// mma.sync of a whole warp: Turing, Ampere, Ada, and Hopper's f64.
#include "atom/family.hpp"

namespace jute::atom {

// Fragments as (thread, value) -> m + M*k for A, n + N*k for B, m + M*n for C.
// Source: PTX ISA, matrix fragments for each mma shape. Named by the tile that they cover.
// clang-format off
inline constexpr std::string_view kC8x8      = "((4,8),2):((16,1),8)";
inline constexpr std::string_view kC16x8     = "((4,8),(2,2)):((32,1),(16,8))";
// 64-bit values: one in a register
inline constexpr std::string_view k8x4Wide   = "((4,8),1):((8,1),0)";
inline constexpr std::string_view k8x8Wide   = "((4,8),2):((8,1),32)";
inline constexpr std::string_view k8x16Wide  = "((4,8),4):((8,1),32)";
inline constexpr std::string_view k16x4Wide  = "((4,8),2):((16,1),8)";
inline constexpr std::string_view k16x8Wide  = "((4,8),(2,2)):((16,1),(8,64))";
inline constexpr std::string_view k16x16Wide = "((4,8),(2,4)):((16,1),(8,64))";
// 16-bit values: two in a register
inline constexpr std::string_view k8x8Half   = "((4,8),2):((16,1),8)";
inline constexpr std::string_view k8x16Half  = "((4,8),(2,2)):((16,1),(8,64))";
inline constexpr std::string_view k16x8Half  = "((4,8),(2,2)):((32,1),(16,8))";
inline constexpr std::string_view k16x16Half = "((4,8),(2,2,2)):((32,1),(16,8,128))";
// 8-bit values: four in a register
inline constexpr std::string_view k8x16Byte  = "((4,8),4):((32,1),8)";
inline constexpr std::string_view k8x32Byte  = "((4,8),(4,2)):((32,1),(8,128))";
inline constexpr std::string_view k16x16Byte = "((4,8),(4,2)):((64,1),(16,8))";
inline constexpr std::string_view k16x32Byte = "((4,8),(4,2,2)):((64,1),(16,8,256))";
// 4-bit values: eight in a register
inline constexpr std::string_view k8x32Nibble  = "((4,8),(8)):((64,1),(8))";
inline constexpr std::string_view k8x64Nibble  = "((4,8),(8,2)):((64,1),(8,256))";
inline constexpr std::string_view k16x32Nibble = "((4,8),(8,2)):((128,1),(16,8))";
inline constexpr std::string_view k16x64Nibble = "((4,8),(8,2,2)):((128,1),(16,8,512))";
// single bits: 32 in a register
inline constexpr std::string_view k8x128Bit  = "((4,8),32):((256,1),8)";
inline constexpr std::string_view k8x256Bit  = "((4,8),(32,2)):((256,1),(8,1024))";
inline constexpr std::string_view k16x128Bit = "((4,8),(32,2)):((512,1),(16,8))";
inline constexpr std::string_view k16x256Bit = "((4,8),(32,2,2)):((512,1),(16,8,2048))";

inline constexpr std::string_view kPtxMma = "mma.sync.aligned.m{M}n{N}k{K}.row.col.{D.ptx}.{A.ptx}.{B.ptx}.{C.ptx}{mod.ptx}";
inline constexpr std::array kPopcount = {Modifier{"_XORPOPC", ".xor.popc"}, Modifier{"_ANDPOPC", ".and.popc"}};
inline constexpr std::string_view kSm75Name = "SM75_{M}x{N}x{K}_{D}{A}{B}{C}_TN";
inline constexpr std::string_view kSm80Name = "SM80_{M}x{N}x{K}_{D}{A}{B}{C}_TN{mod}";
inline constexpr std::string_view kSm89Name = "SM89_{M}x{N}x{K}_{D}{A}{B}{C}_TN";
inline constexpr std::string_view kSm90Name = "SM90_{M}x{N}x{K}_{D}{A}{B}{C}_TN";
inline constexpr std::string_view kMmaSource = "PTX ISA, matrix fragments for mma";
inline constexpr std::string_view kComplexSource = "four real products; fragments of the real mma";
inline constexpr std::string_view kGaussSource = "three real products (Gauss); fragments of the real mma";
inline constexpr Arch kSm75{75}, kSm80{80}, kSm89{89}, kSm90{90};
inline constexpr Range k8{8, 8}, k16{16, 16}, k32{32, 32};

constexpr MmaFamily warp(std::string_view name, Arch arch, PtxVersion isa, Range m, Range n, Range k,
                         std::string_view d, std::string_view a, std::string_view b,
                         std::string_view a_tv, std::string_view b_tv, std::string_view c_tv,
                         std::span<const Modifier> modifiers = kPlain) {
  return {.name = name, .arch = arch, .isa = isa, .form = MmaForm::mma, .m = m, .n = n, .k = k,
          .d = d, .a = a, .b = b, .a_tv = a_tv, .b_tv = b_tv, .c_tv = c_tv, .ptx = kPtxMma,
          .source = kMmaSource, .modifiers = modifiers};
}
/// Complex numbers: the fragments of a real f64 mma, several instructions.
constexpr MmaFamily complex(std::string_view name, MmaFamily real, std::string_view d,
                            std::string_view source) {
  real.name = name;
  real.form = MmaForm::mma_complex;
  real.d = d;
  real.a = real.b = "c64";
  real.ptx = "";
  real.source = source;
  return real;
}

inline constexpr MmaFamily kF64M8N8K4    = warp(kSm80Name, kSm80, {7, 0}, k8,  k8, {4, 4},   "f64", "f64", "f64", k8x4Wide,   k8x4Wide,  kC8x8);
inline constexpr MmaFamily kF64M16N8K4   = warp(kSm90Name, kSm90, {7, 8}, k16, k8, {4, 4},   "f64", "f64", "f64", k16x4Wide,  k8x4Wide,  kC16x8);
inline constexpr MmaFamily kF64M16N8K8   = warp(kSm90Name, kSm90, {7, 8}, k16, k8, k8,       "f64", "f64", "f64", k16x8Wide,  k8x8Wide,  kC16x8);
inline constexpr MmaFamily kF64M16N8K16  = warp(kSm90Name, kSm90, {7, 8}, k16, k8, k16,      "f64", "f64", "f64", k16x16Wide, k8x16Wide, kC16x8);

inline constexpr std::array kWarpMma = {
//   name       arch   ISA     M    N   K           D          A            B            a_tv        b_tv       c_tv
warp(kSm75Name, kSm75, {6, 5}, k16, k8, k8,         "f32 f16", "f16",       "f16",       k16x8Half,  k8x8Half,  kC16x8),
warp(kSm75Name, kSm75, {6, 5}, k8,  k8, k16,        "s32",     "s8",        "s8",        k8x16Byte,  k8x16Byte, kC8x8),

warp(kSm80Name, kSm80, {7, 0}, k16, k8, k8,         "f16 f32", "f16",       "f16",       k16x8Half,  k8x8Half,  kC16x8),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k16,        "f16 f32", "f16",       "f16",       k16x16Half, k8x16Half, kC16x8),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k8,         "f32",     "bf16",      "bf16",      k16x8Half,  k8x8Half,  kC16x8),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k16,        "f32",     "bf16",      "bf16",      k16x16Half, k8x16Half, kC16x8),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, {4, 4},     "f32",     "tf32",      "tf32",      k16x4Wide,  k8x4Wide,  kC16x8),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k8,         "f32",     "tf32",      "tf32",      k16x8Wide,  k8x8Wide,  kC16x8),
kF64M8N8K4,
complex("SM80_8x8x4_C64C64C64C64_TN",   kF64M8N8K4, "c64",  kComplexSource),
complex("SM80_8x8x4_GC64C64C64GC64_TN", kF64M8N8K4, "gc64", kGaussSource),
warp(kSm80Name, kSm80, {6, 5}, k8,  k8, k16,        "s32",     "s8 u8",     "s8 u8",     k8x16Byte,    k8x16Byte,   kC8x8,  kSaturating),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k16,        "s32",     "s8 u8",     "s8 u8",     k16x16Byte,   k8x16Byte,   kC16x8, kSaturating),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k32,        "s32",     "s8 u8",     "s8 u8",     k16x32Byte,   k8x32Byte,   kC16x8, kSaturating),
warp(kSm80Name, kSm80, {6, 5}, k8,  k8, k32,        "s32",     "s4 u4",     "s4 u4",     k8x32Nibble,  k8x32Nibble, kC8x8,  kSaturating),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, k32,        "s32",     "s4 u4",     "s4 u4",     k16x32Nibble, k8x32Nibble, kC16x8, kSaturating),
warp(kSm80Name, kSm80, {7, 0}, k16, k8, {64, 64},   "s32",     "s4 u4",     "s4 u4",     k16x64Nibble, k8x64Nibble, kC16x8, kSaturating),
warp(kSm80Name, kSm80, {7, 1}, k8,  k8, {128, 128}, "s32",     "u1",        "u1",        k8x128Bit,    k8x128Bit,   kC8x8,  kPopcount),
warp(kSm80Name, kSm80, {7, 1}, k16, k8, {128, 128}, "s32",     "u1",        "u1",        k16x128Bit,   k8x128Bit,   kC16x8, kPopcount),
warp(kSm80Name, kSm80, {7, 1}, k16, k8, {256, 256}, "s32",     "u1",        "u1",        k16x256Bit,   k8x256Bit,   kC16x8, kPopcount),

warp(kSm89Name, kSm89, {8, 4}, k16, k8, k32,        "f32",     "e4m3 e5m2", "e4m3 e5m2", k16x32Byte, k8x32Byte, kC16x8),
warp(kSm89Name, kSm89, {8, 7}, k16, k8, k32,        "f16",     "e4m3 e5m2", "e4m3 e5m2", k16x32Byte, k8x32Byte, kC16x8),

kF64M16N8K4, kF64M16N8K8, kF64M16N8K16,
complex("SM90_16x8x4_C64C64C64C64_TN",  kF64M16N8K4,  "c64", kComplexSource),
complex("SM90_16x8x8_C64C64C64C64_TN",  kF64M16N8K8,  "c64", kComplexSource),
complex("SM90_16x8x16_C64C64C64C64_TN", kF64M16N8K16, "c64", kComplexSource),
};
// clang-format on

}  // namespace jute::atom

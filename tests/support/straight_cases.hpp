#pragma once
// Kernels whose fragments come straight from global memory: what may differ between them, in pairs.
#include "support/gemm_case.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace jute::test {

/// A kernel, and a problem that reaches past every edge of its tile.
struct StraightRow {
  std::string_view preset, config;
  CaseTypes types;
  Order a, b, c;
  Index m, n, k, batch;
  double beta;
  Index padding;  ///< elements behind each row
  int alignment;  ///< of every base, in elements
};

// clang-format off
inline constexpr Order kStraightRow = Order::row, kStraightCol = Order::col;
inline constexpr CaseTypes kBf16{DType::bf16, DType::bf16, DType::bf16, DType::bf16, DType::f32};
inline constexpr CaseTypes kBf16ToF32{DType::bf16, DType::bf16, DType::f32, DType::f32, DType::f32};
inline constexpr CaseTypes kF16{DType::f16, DType::f16, DType::f16, DType::f16, DType::f32};
inline constexpr CaseTypes kF16InF16{DType::f16, DType::f16, DType::f16, DType::f16, DType::f16};
inline constexpr CaseTypes kTf32{DType::tf32, DType::tf32, DType::f32, DType::f32, DType::f32};
inline constexpr CaseTypes kS8{DType::s8, DType::s8, DType::s32, DType::s32, DType::s32};
inline constexpr CaseTypes kU8{DType::u8, DType::u8, DType::s32, DType::s32, DType::s32};
inline constexpr CaseTypes kE4m3{DType::e4m3, DType::e4m3, DType::bf16, DType::bf16, DType::f32};
inline constexpr CaseTypes kE5m2{DType::e5m2, DType::e5m2, DType::f16, DType::f16, DType::f32};
inline constexpr CaseTypes kF64{DType::f64, DType::f64, DType::f64, DType::f64, DType::f64};
inline constexpr CaseTypes kF32{DType::f32, DType::f32, DType::f32, DType::f32, DType::f32};
inline constexpr std::array kStraight{
    // what the planner makes of small problems: every order, rows that begin anywhere
    StraightRow{"h200", "main_loop=straight", kBf16, kStraightRow, kStraightRow, kStraightRow, 33, 77, 95, 1, 0,   0, 1},
    StraightRow{"h200", "main_loop=straight", kBf16, kStraightRow, kStraightCol, kStraightRow, 100, 100, 100, 1, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=straight", kBf16, kStraightCol, kStraightRow, kStraightCol, 31, 50, 47, 2, 1,   3, 1},
    StraightRow{"h200", "main_loop=straight", kBf16, kStraightCol, kStraightCol, kStraightRow, 16, 16, 16, 3, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=straight launches=alone", kBf16, kStraightRow, kStraightCol, kStraightRow, 33, 40, 128, 1, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=straight release=never", kBf16ToF32, kStraightRow, kStraightCol, kStraightRow, 17, 9, 130, 1, 0, 1, 2},
    StraightRow{"h200", "main_loop=straight release=after_main_loop", kF16, kStraightRow, kStraightCol, kStraightCol, 40, 24, 300, 1, 0.5, 2, 2},
    // more than one tile of K, more than one instruction of a warp, numbers that are no literals
    StraightRow{"h200", "main_loop=straight tile=16x8x64 atom_layout=(1,1,4)", kBf16, kStraightRow, kStraightCol, kStraightRow, 20, 20, 201, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight tile=32x32x32 atom_layout=(1,1,2) specialize=none", kBf16, kStraightRow, kStraightRow, kStraightRow, 35, 70, 77, 2, 1, 1, 1},
    StraightRow{"h200", "main_loop=straight tile=64x32x64 atom_layout=(2,2,2):(1,2,4) specialize=all", kBf16, kStraightCol, kStraightCol, kStraightCol, 70, 35, 66, 1, 0.5, 2, 2},
    StraightRow{"h200", "main_loop=straight tile=32x16x48 atom_layout=(2,2,3):(2,1,4) specialize=none", kF16, kStraightRow, kStraightCol, kStraightRow, 33, 17, 97, 1, 0, 3, 1},
    StraightRow{"h200", "main_loop=straight tile=16x8x48 atom_layout=(1,1,3) permutation=(_,(2,4):(4,1),_)", kBf16, kStraightRow, kStraightCol, kStraightRow, 20, 20, 49, 1, 0.5, 0, 1},
    // operands that the cache asks for ahead: every order, rows that share lines, tiles that do
    StraightRow{"h200", "main_loop=straight first_stages=prefetched", kBf16, kStraightRow, kStraightRow, kStraightRow, 33, 77, 95, 1, 0,   0, 1},
    StraightRow{"h200", "main_loop=straight first_stages=prefetched", kBf16, kStraightCol, kStraightCol, kStraightCol, 40, 24, 300, 2, 0.5, 2, 2},
    StraightRow{"h200", "main_loop=straight first_stages=prefetched release=at_start", kBf16, kStraightRow, kStraightCol, kStraightRow, 70, 9, 24, 1, 0, 0, 8},
    StraightRow{"h200", "main_loop=straight tile=64x32x64 atom_layout=(2,2,2):(1,2,4) first_stages=prefetched specialize=none", kBf16, kStraightCol, kStraightRow, kStraightRow, 200, 35, 66, 1, 0.5, 2, 2},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> first_stages=prefetched", kBf16, kStraightRow, kStraightCol, kStraightRow, 3, 40, 1100, 1, 0, 0, 8},
    // shared by problems
    StraightRow{"h200", "main_loop=straight specialize=generic", kBf16, kStraightRow, kStraightCol, kStraightRow, 33, 78, 96, 1, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=straight specialize=generic", kBf16, kStraightCol, kStraightRow, kStraightCol, 31, 50, 147, 2, 1, 3, 1},
    StraightRow{"h200", "main_loop=straight specialize=generic", kF16InF16, kStraightRow, kStraightRow, kStraightRow, 40, 24, 301, 1, 0.5, 1, 1},
    StraightRow{"a100", "main_loop=straight specialize=generic", kS8, kStraightRow, kStraightCol, kStraightRow, 37, 29, 141, 1, 1, 0, 1},
    // other types and shapes of instructions, on other chips
    StraightRow{"h200", "main_loop=straight mma_atom=SM80_16x8x8_F32BF16BF16F32_TN", kBf16, kStraightRow, kStraightCol, kStraightRow, 21, 13, 60, 1, 0, 0, 1},
    StraightRow{"h200", "main_loop=straight", kF16InF16, kStraightRow, kStraightCol, kStraightRow, 21, 13, 60, 1, 0.5, 0, 1},
    StraightRow{"a100", "main_loop=straight", kTf32, kStraightRow, kStraightCol, kStraightRow, 37, 29, 41, 2, 0.5, 1, 1},
    StraightRow{"a100", "main_loop=straight", kS8, kStraightRow, kStraightCol, kStraightRow, 37, 29, 141, 1, 1, 0, 1},
    StraightRow{"a100", "main_loop=straight", kU8, kStraightCol, kStraightRow, kStraightCol, 37, 29, 70, 1, 0, 4, 4},
    StraightRow{"a100", "main_loop=straight", kF64, kStraightRow, kStraightRow, kStraightRow, 19, 21, 23, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight", kF64, kStraightRow, kStraightCol, kStraightRow, 19, 21, 43, 2, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=straight", kE4m3, kStraightRow, kStraightCol, kStraightRow, 37, 29, 141, 1, 0.5, 0, 1},
    StraightRow{"l40s", "main_loop=straight", kE4m3, kStraightCol, kStraightRow, kStraightRow, 20, 24, 80, 1, 0, 8, 8},
    StraightRow{"rtx5090", "main_loop=straight", kBf16, kStraightRow, kStraightRow, kStraightRow, 50, 61, 33, 1, 0.5, 0, 1},
    StraightRow{"t4", "main_loop=straight", kF16, kStraightRow, kStraightCol, kStraightRow, 37, 29, 71, 1, 0.5, 0, 1},
    StraightRow{"t4", "main_loop=straight mma_atom=SM70_8x8x4_F32F16F16F32_TN", kF16, kStraightRow, kStraightCol, kStraightRow, 37, 29, 30, 1, 0, 0, 1},
    StraightRow{"t4", "main_loop=straight", kF32, kStraightRow, kStraightRow, kStraightRow, 21, 37, 19, 1, 0.5, 0, 1},
    // few rows or columns of D: dot products, over rows that begin anywhere, at 4 and at 8 bytes, at chunks
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 37, 1333, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightRow, kStraightCol, kStraightRow, 4, 21, 515, 2, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightRow, kStraightCol, kStraightRow, 2, 70, 64, 1, 0, 2, 2},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,half_t,half_t,float>", kF16, kStraightRow, kStraightCol, kStraightRow, 3, 19, 520, 1, 1, 4, 4},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> specialize=none", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 24, 2048, 1, 0.5, 0, 8},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> specialize=all", kBf16, kStraightRow, kStraightCol, kStraightCol, 1, 2, 4099, 1, 0.5, 5, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16ToF32, kStraightRow, kStraightRow, kStraightRow, 1, 101, 333, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightCol, kStraightRow, kStraightRow, 3, 72, 130, 2, 0.5, 8, 8},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,half_t,half_t,float>", kF16, kStraightRow, kStraightCol, kStraightRow, 45, 1, 700, 1, 0.5, 3, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightCol, kStraightRow, kStraightCol, 67, 4, 99, 1, 1, 1, 1},
    StraightRow{"h200", "main_loop=straight", kF32, kStraightRow, kStraightCol, kStraightRow, 1, 40, 777, 1, 0.5, 1, 1},
    StraightRow{"a100", "main_loop=straight", kF32, kStraightRow, kStraightRow, kStraightRow, 4, 33, 65, 1, 0.5, 0, 4},
    StraightRow{"a100", "main_loop=straight mma_atom=UniversalFMA<double>", kF64, kStraightRow, kStraightCol, kStraightRow, 2, 13, 301, 1, 0.5, 1, 1},
    StraightRow{"a100", "main_loop=straight mma_atom=UniversalFMA<int32_t,int8_t,int8_t,int32_t>", kS8, kStraightRow, kStraightCol, kStraightRow, 1, 29, 1001, 1, 1, 0, 1},
    StraightRow{"a100", "main_loop=straight mma_atom=UniversalFMA<int32_t,uint8_t,uint8_t,int32_t>", kU8, kStraightCol, kStraightRow, kStraightRow, 2, 83, 70, 1, 1, 3, 1},
    StraightRow{"h200", "main_loop=straight", kE4m3, kStraightRow, kStraightCol, kStraightRow, 1, 37, 1500, 1, 0.5, 7, 1},
    StraightRow{"l40s", "main_loop=straight mma_atom=UniversalFMA<float,float_e5m2_t,float_e5m2_t,float>", kE5m2, kStraightRow, kStraightRow, kStraightRow, 2, 130, 150, 1, 0, 1, 1},
    StraightRow{"t4", "main_loop=straight mma_atom=UniversalFMA<float,half_t,half_t,float>", kF16, kStraightRow, kStraightCol, kStraightRow, 1, 31, 600, 1, 0.5, 1, 1},
    StraightRow{"rtx5090", "main_loop=straight", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 9, 1, 1, 0.5, 0, 1},
    // groups of warps and lanes that both have parts of K, along K fast and slow
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,2,(32,4)):(0,32,(1,64)) permutation=(_,_,(128,8):(8,1)) tile=1x4x2048", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 11, 2500, 1, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(2,(4,2),(4,2)):(16,(4,32),(1,64)) tile=4x16x64", kBf16, kStraightRow, kStraightCol, kStraightRow, 5, 33, 77, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 20, 0, 1, 0.5, 8, 8},
    // several rows of a lane that begin alike, and that do not; what is streamed and what is kept at any address; short rows
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,8,32):(0,32,1) permutation=(_,_,(32,8):(8,1)) tile=1x16x256", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 37, 1333, 2, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,8,32):(0,32,1) permutation=(_,_,(32,8):(8,1)) tile=4x32x512", kBf16, kStraightRow, kStraightCol, kStraightRow, 3, 70, 515, 1, 0.5, 3, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(8,1,32):(32,0,1) permutation=(_,_,(32,8):(8,1)) tile=16x2x256", kBf16, kStraightRow, kStraightCol, kStraightRow, 45, 2, 703, 1, 1, 2, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,4,(32,2)):(0,32,(1,128)) permutation=(_,_,(64,8):(8,1)) tile=2x8x1024", kBf16, kStraightRow, kStraightCol, kStraightRow, 2, 30, 1096, 1, 0, 0, 8},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,4,(32,2)):(0,32,(1,128)) permutation=(_,_,(64,8):(8,1)) tile=2x8x1024", kBf16, kStraightRow, kStraightCol, kStraightRow, 2, 30, 1099, 1, 0.5, 1, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,1,256):(0,0,1) permutation=(_,_,(256,8):(8,1)) tile=1x1x2048", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 11, 9, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,1,256):(0,0,1) permutation=(_,_,(256,8):(8,1)) tile=1x1x2048", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 11, 23, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,1,256):(0,0,1) permutation=(_,_,(256,8):(8,1)) tile=1x1x2048", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 5, 2063, 1, 0, 0, 1},
    // chunks of a lane behind each other, and those of neighbours far apart
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,1,32):(0,0,1) permutation=(_,_,(32,16):(16,1)) tile=1x1x512", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 9, 1333, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,1,64):(0,0,1) permutation=(_,_,(2,32,8):(256,8,1)) tile=1x1x512", kBf16, kStraightRow, kStraightCol, kStraightRow, 1, 9, 1333, 1, 0.5, 0, 1},
    // no sum at all
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float>", kBf16, kStraightRow, kStraightCol, kStraightRow, 20, 20, 0, 1, 0.5, 8, 8},
};
/// Few rows of D: the large operand, along M or N, in whole chunks wherever its rows begin and end.
inline constexpr std::array kStraightLines{
    StraightRow{"h200", "main_loop=straight mma_atom=SM80_16x8x16_F32BF16BF16F32_TN atom_layout=(1,1,16):(0,0,1) permutation=(_,(8,8):(8,1),(16,8,2):(8,1,128)) tile=16x64x256", kBf16, kStraightRow, kStraightRow, kStraightRow, 5, 150, 300, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=SM80_16x8x16_F32BF16BF16F32_TN atom_layout=(1,1,8):(0,0,1) permutation=((8,8):(8,1),_,(16,8):(8,1)) tile=64x24x128 specialize=none", kBf16, kStraightCol, kStraightRow, kStraightCol, 19, 201, 600, 2, 1, 3, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=SM80_16x8x16_F32BF16BF16F32_TN atom_layout=(1,1,8):(0,0,1) permutation=((8,8):(8,1),_,(16,8):(8,1)) tile=64x16x128 specialize=all", kBf16, kStraightCol, kStraightRow, kStraightRow, 131, 9, 333, 2, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=SM80_16x8x16_F32F16F16F32_TN atom_layout=(1,1,8):(0,0,1) permutation=(_,(8,8):(8,1),(16,8):(8,1)) tile=16x64x128 release=at_start first_stages=prefetched", kF16, kStraightRow, kStraightRow, kStraightRow, 2, 66, 129, 3, 0, 1, 2},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,4,(8,8)):(0,1,(32,4)) permutation=(_,(4,8):(8,1),_) tile=2x32x128", kBf16, kStraightRow, kStraightRow, kStraightRow, 3, 77, 301, 2, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,32,8):(0,1,32) permutation=(_,(32,8):(8,1),_) tile=1x256x16", kBf16ToF32, kStraightCol, kStraightCol, kStraightCol, 300, 1, 77, 1, 1, 2, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,8,(16,4)):(0,1,(32,8)) permutation=(_,(8,8):(8,1),_) tile=1x64x256", kBf16, kStraightRow, kStraightRow, kStraightRow, 1, 3, 700, 2, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float,bfloat16_t,bfloat16_t,float> atom_layout=(1,8,(16,4)):(0,1,(32,8)) permutation=(_,(8,8):(8,1),_) tile=1x64x256", kBf16, kStraightRow, kStraightRow, kStraightRow, 1, 2, 40, 1, 0.5, 0, 1},
    StraightRow{"h200", "main_loop=straight mma_atom=UniversalFMA<float> atom_layout=(1,8,(4,4)):(0,1,(32,8)) permutation=(_,(8,4):(4,1),_) tile=2x32x64", kF32, kStraightRow, kStraightRow, kStraightRow, 2, 101, 130, 1, 0.5, 0, 1},
    StraightRow{"a100", "main_loop=straight mma_atom=SM80_16x8x8_F32TF32TF32F32_TN atom_layout=(1,1,8):(0,0,1) permutation=(_,(8,4):(4,1),(8,4,2):(4,1,32)) tile=16x32x64", kTf32, kStraightRow, kStraightRow, kStraightRow, 4, 75, 203, 2, 0.5, 1, 1},
    StraightRow{"a100", "main_loop=straight mma_atom=UniversalFMA<int32_t,int8_t,int8_t,int32_t> atom_layout=(1,8,(16,4)):(0,1,(32,8)) permutation=(_,(8,16):(16,1),_) tile=2x128x128", kS8, kStraightRow, kStraightRow, kStraightRow, 2, 141, 700, 1, 1, 0, 1},
    StraightRow{"l40s", "main_loop=straight mma_atom=UniversalFMA<float,float_e5m2_t,float_e5m2_t,float> atom_layout=(1,8,(16,4)):(0,1,(32,8)) permutation=(_,(8,16):(16,1),_) tile=1x128x128", kE5m2, kStraightRow, kStraightRow, kStraightRow, 1, 150, 333, 1, 0.5, 3, 1},
    StraightRow{"t4", "main_loop=straight mma_atom=SM75_16x8x8_F32F16F16F32_TN atom_layout=(1,1,8):(0,0,1) permutation=(_,(8,8):(8,1),(8,8):(8,1)) tile=16x64x64", kF16, kStraightRow, kStraightRow, kStraightRow, 7, 97, 205, 1, 0.5, 0, 1},
};
// clang-format on

inline std::vector<StraightRow> all_straight() {
  std::vector<StraightRow> rows(kStraight.begin(), kStraight.end());
  rows.insert(rows.end(), kStraightLines.begin(), kStraightLines.end());
  return rows;
}

inline GemmCase case_of(const StraightRow& row, unsigned seed) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = row.m;
  problem.n = row.n;
  problem.k = row.k;
  problem.batch = row.batch;
  problem.accumulate = row.types.accumulate;
  const auto matrix = [&](DType type, Order order, Index rows, Index columns) {
    return Matrix{.type = type,
                  .order = order,
                  .ld_elems = (order == Order::row ? columns : rows) + row.padding,
                  .alignment_bytes = width_bytes(type) * row.alignment};
  };
  problem.a = matrix(row.types.a, row.a, row.m, row.k);
  problem.b = matrix(row.types.b, row.b, row.k, row.n);
  problem.c = matrix(row.types.c, row.c, row.m, row.n);
  problem.d = matrix(row.types.d, row.c, row.m, row.n);
  result.alpha = 2;
  result.beta = row.types.accumulate == DType::s32 && row.beta != 0 ? 1 : row.beta;
  if (row.beta == 0) problem.beta = Factor::zero;
  result.seed = seed;
  result.config = parse_config(row.config);
  return result;
}

}  // namespace jute::test

#pragma once
// Blackwell's warp mma (sm_120): any mix of 8-, 6- and 4-bit floats, block-scaled, sparse, or both.
#include "atom/warp_mma.hpp"

namespace jute::atom {

// clang-format off
inline constexpr std::string_view kFloat864 = "e2m1 e3m2 e2m3 e4m3 e5m2";
inline constexpr std::string_view k8x64Byte    = "((4,8),(4,4)):((32,1),(8,128))";
inline constexpr std::string_view k8x128Nibble = "((4,8),(8,4)):((64,1),(8,256))";
inline constexpr std::string_view k16x64Sparse = "((4,8),(8,2,2)):((128,1),(16,8,512))";
inline constexpr std::string_view k16x128Sparse = "((4,8),(16,2,2)):((256,1),(16,8,1024))";
inline constexpr std::string_view kScaleA = "((2,2,8),K):((8,0,1),16)";  // half of the lanes hold rows twice
inline constexpr std::string_view kScaleB = "((4,8),K):((0,1),8)";
inline constexpr std::string_view kE64  = "((2,2,8),32):((8,512,1),16)";
inline constexpr std::string_view kE128 = "((2,2,8),(64)):((8,1024,1),(16))";
inline constexpr std::string_view kSm120Source = "PTX ISA, mma with .kind::f8f6f4, mxf8f6f4, mxf4nvf4";
inline constexpr Arch kSm120a{120, 'a'};
inline constexpr Range k64{64, 64}, k128{128, 128};

/// A and B travel in byte or nibble containers whatever their type; the mnemonic has the type.
constexpr MmaFamily sm120(std::string_view name, MmaForm form, Range k, std::string_view d, std::string_view ab,
                          std::string_view a_tv, std::string_view b_tv, std::string_view a_value,
                          std::string_view b_value, std::string_view ptx) {
  return {.name = name, .arch = kSm120a, .isa = {8, 7}, .form = form, .m = k16, .n = k8, .k = k,
          .d = d, .a = ab, .b = ab, .a_tv = a_tv, .b_tv = b_tv, .c_tv = kC16x8, .ptx = ptx,
          .source = kSm120Source, .a_value = a_value, .b_value = b_value};
}
constexpr MmaFamily scaled(MmaFamily family, std::string_view type, int vector_elems) {
  family.sfa_tv = kScaleA;
  family.sfb_tv = kScaleB;
  family.s = type;
  family.v = {vector_elems, vector_elems};
  return family;
}
constexpr MmaFamily with_metadata(MmaFamily family, std::string_view e_tv, std::string_view e_type) {
  family.e_tv = e_tv;
  family.e_type = e_type;
  return family;
}

inline constexpr std::string_view kDense   = "SM120_16x8x32_TN<{A.cute},{B.cute},{D.cute}>";
inline constexpr std::string_view kScaled32 = "SM120::BLOCKSCALED::SM120_16x8x32_TN_VS<{A.cute},{B.cute},{D.cute},{S.cute},{V}>";
inline constexpr std::string_view kScaled64 = "SM120::BLOCKSCALED::SM120_16x8x64_TN_VS<{A.cute},{B.cute},{D.cute},{S.cute},{V}>";
inline constexpr std::string_view kSparse  = "SM120::SPARSE::SM120_SPARSE_16x8x64_TN<{A.cute},{B.cute},{D.cute}>";
inline constexpr std::string_view kSparseScaled64 = "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x64_TN_VS<{A.cute},{B.cute},{D.cute},{S.cute},{V}>";
inline constexpr std::string_view kSparseScaled128 = "SM120::BLOCKSCALED::SPARSE::SM120_SPARSE_16x8x128_TN_VS<{A.cute},{B.cute},{D.cute},{S.cute},{V}>";

inline constexpr MmaFamily kScaledNibbles = sm120(kScaled64, MmaForm::mma_scaled, k64, "f32", "e2m1", k16x64Nibble, k8x64Nibble, "u4", "u4",
    "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col.f32.e2m1.e2m1.f32.{S.ptx}");
inline constexpr MmaFamily kSparseNibbles = with_metadata(sm120(kSparseScaled128, MmaForm::mma_sparse_scaled, k128, "f32", "e2m1", k16x128Sparse, k8x128Nibble, "sparse4:u8", "u4",
    "mma.sync.aligned.kind::mxf4nvf4.sp::ordered_metadata.block_scale.scale_vec::4X.m16n8k128.row.col.f32.e2m1.e2m1.f32.{S.ptx}"), kE128, "sparse16:u8");
constexpr MmaFamily with_ptx(MmaFamily family, std::string_view ptx) {
  family.ptx = ptx;
  return family;
}

inline constexpr std::array kSm120Mma = {
sm120(kDense, MmaForm::mma, k32, "f32 f16", kFloat864, k16x32Byte, k8x32Byte, "u8", "u8",
      "mma.sync.aligned.kind::f8f6f4.m16n8k32.row.col.{D.ptx}.{A.ptx}.{B.ptx}.{D.ptx}"),
scaled(sm120(kScaled32, MmaForm::mma_scaled, k32, "f32", kFloat864, k16x32Byte, k8x32Byte, "u8", "u8",
      "mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col.f32.{A.ptx}.{B.ptx}.f32.{S.ptx}"), "ue8m0", 32),
// CuTe writes the mnemonics of ue8m0 with 4 factors with the shape in front of the kind.
scaled(with_ptx(kScaledNibbles, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.{S.ptx}"), "ue8m0", 16),
scaled(with_ptx(kScaledNibbles, "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::2X.m16n8k64.row.col.f32.e2m1.e2m1.f32.{S.ptx}"), "ue8m0", 32),
scaled(kScaledNibbles, "ue4m3", 16),
with_metadata(sm120(kSparse, MmaForm::mma_sparse, k64, "f32 f16", kFloat864, k16x64Sparse, k8x64Byte, "sparse2:{A.name}", "u8",
      "mma.sync.aligned.kind::f8f6f4.sp::ordered_metadata.m16n8k64.row.col.{D.ptx}.{A.ptx}.{B.ptx}.{D.ptx}"), kE64, "sparse8:u8"),
scaled(with_metadata(sm120(kSparseScaled64, MmaForm::mma_sparse_scaled, k64, "f32", kFloat864, k16x64Sparse, k8x64Byte, "sparse2:{A.name}", "u8",
      "mma.sync.aligned.kind::mxf8f6f4.sp::ordered_metadata.block_scale.scale_vec::1X.m16n8k64.row.col.f32.{A.ptx}.{B.ptx}.f32.{S.ptx}"), kE64, "sparse8:u8"), "ue8m0", 64),
scaled(with_ptx(kSparseNibbles, "mma.sync.aligned.kind::mxf4nvf4.sp::ordered_metadata.block_scale.scale_vec::2X.m16n8k128.row.col.f32.e2m1.e2m1.f32.{S.ptx}"), "ue8m0", 64),
scaled(with_ptx(kSparseNibbles, "mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.{S.ptx}"), "ue8m0", 32),
scaled(kSparseNibbles, "ue4m3", 32),
};
// clang-format on

}  // namespace jute::atom

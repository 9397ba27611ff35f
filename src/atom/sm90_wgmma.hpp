#pragma once
// wgmma: one parametric family of a warpgroup, N symbolic, dense and 2:4 sparse.
#include "atom/family.hpp"

namespace jute::atom {

// C of 64 x N: four warps of 16 rows, each repeats mma's C fragment every 8 columns.
// Source: PTX ISA, register fragments and shared memory matrix layout for wgmma.
// clang-format off
inline constexpr std::string_view kWgmmaC = "((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))";
inline constexpr std::string_view kWgmmaB = "(128,(N,K)):(0,(1,N))";     // shared memory: every thread sees all
inline constexpr std::string_view kWgmmaA = "(128,(64,K)):(0,(1,64))";
// A in registers; named by the bytes of one value, sparse ones by the compressed value
inline constexpr std::string_view kWgmmaA8  = "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))";
inline constexpr std::string_view kWgmmaA16 = "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))";
inline constexpr std::string_view kWgmmaA32 = "((4,8,4),(2,2)):((64,1,16),(8,256))";
inline constexpr std::string_view kWgmmaSparseA8  = "((4,8,4),(8,2,2)):((512,1,16),(64,8,2048))";
inline constexpr std::string_view kWgmmaSparseA16 = "((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))";
inline constexpr std::string_view kWgmmaSparseA32 = "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))";
// 2:4 metadata
inline constexpr std::string_view kWgmmaE8  = "((2,2,8,4),(32)):((8,2048,1,16),(64))";
inline constexpr std::string_view kWgmmaE16 = "((2,2,8,4),(16,2)):((1024,0,1,16),(64,8))";
inline constexpr std::string_view kWgmmaE32 = "((2,2,8,4),(8,2)):((512,0,1,16),(64,8))";

inline constexpr Arch kSm90a{90, 'a'};
inline constexpr Range kWgmmaN{8, 256, 8};
inline constexpr Range kWgmmaSmallN{8, 32, 8}, kWgmmaLargeN{48, 256, 16};  // integers: 8 16 24 32 48 64 …
inline constexpr std::string_view kWgmmaSource = "PTX ISA, wgmma.mma_async";
inline constexpr std::string_view kBothMajors = "GMMA::Major::{major_a},GMMA::Major::{major_b}";

/// 8-bit floats, tf32: operands K-major only, so the name says TN.
constexpr MmaFamily wgmma(std::string_view name, MmaForm form, int k, std::string_view d, std::string_view a,
                          std::string_view b, std::string_view a_tv) {
  return {.name = name, .arch = kSm90a, .isa = {8, 0}, .form = form, .m = {64, 64}, .n = kWgmmaN, .k = {k, k},
          .d = d, .a = a, .b = b, .a_tv = a_tv, .b_tv = kWgmmaB, .c_tv = kWgmmaC,
          .ptx = "wgmma.mma_async.sync.aligned.m{M}n{N}k{K}.{D.ptx}.{A.ptx}.{B.ptx}{mod.ptx}",
          .source = kWgmmaSource, .thr_id = "128:1"};
}
/// 16-bit types: descriptors of either major; A in registers is K-major.
constexpr MmaFamily majors(MmaFamily family) {
  family.template_args = kBothMajors;
  family.any_major_a = family.form == MmaForm::wgmma_ss || family.form == MmaForm::wgmma_sparse_ss;
  family.any_major_b = true;
  return family;
}
constexpr MmaFamily integers(MmaFamily family) {
  family.n = kWgmmaSmallN;
  family.more_n = kWgmmaLargeN;
  family.modifiers = kSaturating;
  return family;
}
constexpr MmaFamily sparse(MmaFamily family, std::string_view e_tv, std::string_view e_type) {
  family.isa = {8, 2};
  family.ptx = "wgmma.mma_async.sp.sync.aligned.m{M}n{N}k{K}.{D.ptx}.{A.ptx}.{B.ptx}{mod.ptx}";
  family.a_value = "sparse2:{A.name}";
  family.e_tv = e_tv;
  family.e_type = e_type;
  return family;
}

inline constexpr std::string_view kSs   = "SM90_{M}x{N}x{K}_{D}{A}{B}_SS";
inline constexpr std::string_view kRs   = "SM90_{M}x{N}x{K}_{D}{A}{B}_RS";
inline constexpr std::string_view kSsTn = "SM90_{M}x{N}x{K}_{D}{A}{B}_SS_TN{mod}";
inline constexpr std::string_view kRsTn = "SM90_{M}x{N}x{K}_{D}{A}{B}_RS_TN{mod}";
inline constexpr std::string_view kSpSs   = "SM90::GMMA::SPARSE::GMMA_{M}x{N}x{K}_{D}{A}{B}_SS";
inline constexpr std::string_view kSpRs   = "SM90::GMMA::SPARSE::GMMA_{M}x{N}x{K}_{D}{A}{B}_RS";
inline constexpr std::string_view kSpSsTn = "SM90::GMMA::SPARSE::GMMA_{M}x{N}x{K}_{D}{A}{B}_SS_TN{mod}";
inline constexpr std::string_view kSpRsTn = "SM90::GMMA::SPARSE::GMMA_{M}x{N}x{K}_{D}{A}{B}_RS_TN{mod}";
inline constexpr MmaForm kFormSs = MmaForm::wgmma_ss, kFormRs = MmaForm::wgmma_rs;
inline constexpr MmaForm kFormSpSs = MmaForm::wgmma_sparse_ss, kFormSpRs = MmaForm::wgmma_sparse_rs;
inline constexpr std::string_view kFp8 = "e4m3 e5m2", kInt8 = "s8 u8";

inline constexpr std::array kWgmma = {
//           name  form     K   D          A       B       a_tv
majors(wgmma(kSs,   kFormSs, 16, "f16 f32", "f16",  "f16",  kWgmmaA)),
majors(wgmma(kRs,   kFormRs, 16, "f16 f32", "f16",  "f16",  kWgmmaA16)),
majors(wgmma(kSs,   kFormSs, 16, "f32",     "bf16", "bf16", kWgmmaA)),
majors(wgmma(kRs,   kFormRs, 16, "f32",     "bf16", "bf16", kWgmmaA16)),
wgmma(       kSsTn, kFormSs, 8,  "f32",     "tf32", "tf32", kWgmmaA),
wgmma(       kRsTn, kFormRs, 8,  "f32",     "tf32", "tf32", kWgmmaA32),
wgmma(       kSsTn, kFormSs, 32, "f16 f32", kFp8,   kFp8,   kWgmmaA),
wgmma(       kRsTn, kFormRs, 32, "f16 f32", kFp8,   kFp8,   kWgmmaA8),
integers(wgmma(kSsTn, kFormSs, 32, "s32",   kInt8,  kInt8,  kWgmmaA)),
integers(wgmma(kRsTn, kFormRs, 32, "s32",   kInt8,  kInt8,  kWgmmaA8)),

majors(sparse(wgmma(kSpSs,   kFormSpSs, 32, "f16 f32", "f16",  "f16",  kWgmmaA),         kWgmmaE16, "sparse8:u8")),
majors(sparse(wgmma(kSpRs,   kFormSpRs, 32, "f16 f32", "f16",  "f16",  kWgmmaSparseA16), kWgmmaE16, "sparse8:u8")),
majors(sparse(wgmma(kSpSs,   kFormSpSs, 32, "f32",     "bf16", "bf16", kWgmmaA),         kWgmmaE16, "sparse8:u8")),
majors(sparse(wgmma(kSpRs,   kFormSpRs, 32, "f32",     "bf16", "bf16", kWgmmaSparseA16), kWgmmaE16, "sparse8:u8")),
sparse(       wgmma(kSpSsTn, kFormSpSs, 16, "f32",     "tf32", "tf32", kWgmmaA),         kWgmmaE32, "sparse4:u8"),
sparse(       wgmma(kSpRsTn, kFormSpRs, 16, "f32",     "tf32", "tf32", kWgmmaSparseA32), kWgmmaE32, "sparse4:u8"),
sparse(       wgmma(kSpSsTn, kFormSpSs, 64, "f16 f32", kFp8,   kFp8,   kWgmmaA),         kWgmmaE8,  "sparse8:u8"),
sparse(       wgmma(kSpRsTn, kFormSpRs, 64, "f16 f32", kFp8,   kFp8,   kWgmmaSparseA8),  kWgmmaE8,  "sparse8:u8"),
integers(sparse(wgmma(kSpSsTn, kFormSpSs, 64, "s32",   kInt8,  kInt8,  kWgmmaA),         kWgmmaE8,  "sparse8:u8")),
integers(sparse(wgmma(kSpRsTn, kFormSpRs, 64, "s32",   kInt8,  kInt8,  kWgmmaSparseA8),  kWgmmaE8,  "sparse8:u8")),
};
// clang-format on

}  // namespace jute::atom

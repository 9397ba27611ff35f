#pragma once
// tcgen05.mma: datacenter Blackwell (sm_100a, sm_103a). Operands in shared and tensor memory, so
// the layouts say which element of the tile a CTA owns, not which register holds it.
#include "atom/family.hpp"

namespace jute::atom {

// One CTA has the whole tile; of a pair (2x1SM) each has half of M and half of N.
// Source: PTX ISA, tcgen05.mma.
// clang-format off
inline constexpr std::string_view kCtaA  = "(1,(M,K)):(0,(1,M))",        kCtaB  = "(1,(N,K)):(0,(1,N))",        kCtaC  = "(1,(M,N)):(0,(1,M))";
inline constexpr std::string_view kPairA = "(2,(M/2,K)):(M/2,(1,M))",    kPairB = "(2,(N/2,K)):(N/2,(1,N))",    kPairC = "(2,(M/2,N)):(M/2,(1,M))";
inline constexpr Arch kSm100a{100, 'a'}, kSm103a{103, 'a'};
inline constexpr Range kEvery8{8, 256, 8}, kEvery16{16, 256, 16}, kEvery32{32, 256, 32}, kOnly8{8, 8};
inline constexpr Range kM64{64, 64}, kM128{128, 128}, kM64or128{64, 128, 64}, kM128or256{128, 256, 128}, kM256{256, 256};
inline constexpr std::string_view kTcgen05Source = "PTX ISA, tcgen05.mma";

/// The kinds of element that a tcgen05.mma takes.
struct Kind {
  std::string_view d, ab;
  int k = 0;
};
inline constexpr Kind kKindTf32{"f32", "tf32", 8}, kKindF16{"f16 f32", "f16 bf16", 16}, kKindI8{"s32", "s8 u8", 32},
                      kKindF8{"f16 f32", "e2m1 e3m2 e2m3 e4m3 e5m2", 32}, kKindF4{"f32", "e2m1", 64},
                      kKindF4Ultra{"f32", "e2m1", 96}, kKindComplexTf32{"f32", "ctf32", 4}, kKindComplexF16{"f32", "c16 cbf16", 8};

/// A in tensor memory is K-major.
constexpr MmaFamily tcgen05(std::string_view name, MmaForm form, const Kind& kind, Range m, Range n,
                            std::string_view ptx, Range more_n = {}) {
  return {.name = name, .arch = kSm100a, .isa = {8, 6}, .form = form, .m = m, .n = n, .k = {kind.k, kind.k},
          .d = kind.d, .a = kind.ab, .b = kind.ab, .a_tv = kCtaA, .b_tv = kCtaB, .c_tv = kCtaC,
          .ptx = ptx, .source = kTcgen05Source, .thr_id = "1:0", .more_n = more_n,
          .any_major_a = form != MmaForm::tcgen05_ts, .any_major_b = true, .listed_n = kM128};
}
constexpr MmaFamily pair(MmaFamily family) {
  family.a_tv = kPairA;
  family.b_tv = kPairB;
  family.c_tv = kPairC;
  family.thr_id = "2:1";
  return family;
}
constexpr MmaFamily sparse_pairs(MmaFamily family) {
  family.k = {2 * family.k.first, 2 * family.k.first};
  family.a_value = "sparse2:{A.name}";
  return family;
}
constexpr MmaFamily scaled(MmaFamily family, std::string_view type, Range vector_elems) {
  family.s = type;
  family.v = vector_elems;
  return family;
}

/// D = A*B + C * 2^-V. Too many to list.
constexpr MmaFamily scaled_c(MmaFamily family) {
  family.v = {0, 15};
  family.listed = false;
  return family;
}
/// Operands K-major only.
constexpr MmaFamily k_major(MmaFamily family) {
  family.any_major_a = family.any_major_b = false;
  return family;
}
/// Interleaved complex operands with a real accumulator: an instruction gives one part of a product.
constexpr MmaFamily complex_pairs(MmaFamily family) {
  family.b = "=A";
  return family;
}
constexpr MmaFamily ultra(MmaFamily family) {
  family.arch = kSm103a;
  family.isa = {8, 8};
  return k_major(family);
}
/// 4:8 sparse: bytes hold two of four 4-bit values.
constexpr MmaFamily sparse_nibbles(MmaFamily family) {
  family = sparse_pairs(family);
  family.a_value = "sparse4:u8";
  return family;
}
/// Two f32 multiply-adds of one thread.
constexpr MmaFamily packed_fma(std::string_view name, int m, int n, std::string_view a_tv, std::string_view b_tv) {
  return {.name = name, .arch = {100}, .isa = {8, 6}, .form = MmaForm::fma, .m = {m, m}, .n = {n, n}, .k = {1, 1},
          .d = "f32", .a = "f32", .b = "f32", .a_tv = a_tv, .b_tv = b_tv, .c_tv = "(1,2):(0,1)", .ptx = "",
          .source = "PTX ISA, fma with .f32x2", .thr_id = "1:0"};
}

inline constexpr std::array kTcgen05 = {
packed_fma("SM100_2x1x1_F32F32F32F32", 2, 1, "(1,2):(0,1)", "(1,1):(0,0)"),
packed_fma("SM100_1x2x1_F32F32F32F32", 1, 2, "(1,1):(0,0)", "(1,2):(0,1)"),
tcgen05("SM100_MMA_TF32_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindTf32, kM64or128, kEvery8, "tcgen05.mma.cta_group::1.kind::tf32"),
tcgen05("SM100_MMA_TF32_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindTf32, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::tf32"),
tcgen05("SM100_MMA_TF32_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindTf32, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::tf32"),
pair(tcgen05("SM100_MMA_TF32_2x1SM_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindTf32, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::tf32")),
pair(tcgen05("SM100_MMA_TF32_2x1SM_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindTf32, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::tf32")),
sparse_pairs(tcgen05("SM100_MMA_TF32_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindTf32, kM64or128, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::tf32")),
pair(sparse_pairs(tcgen05("SM100_MMA_TF32_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindTf32, kM128or256, kEvery16, "tcgen05.mma.sp.cta_group::2.kind::tf32"))),

tcgen05("SM100_MMA_F16BF16_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindF16, kM64or128, kEvery8, "tcgen05.mma.cta_group::1.kind::f16"),
tcgen05("SM100_MMA_F16BF16_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF16, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::f16"),
tcgen05("SM100_MMA_F16BF16_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF16, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::f16"),
pair(tcgen05("SM100_MMA_F16BF16_2x1SM_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindF16, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::f16")),
pair(tcgen05("SM100_MMA_F16BF16_2x1SM_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF16, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::f16")),
sparse_pairs(tcgen05("SM100_MMA_F16BF16_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindF16, kM64or128, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::f16")),
pair(sparse_pairs(tcgen05("SM100_MMA_F16BF16_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindF16, kM128or256, kEvery16, "tcgen05.mma.sp.cta_group::2.kind::f16"))),

tcgen05("SM100_MMA_S8_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindI8, kM64or128, kEvery16, "tcgen05.mma.cta_group::1.kind::i8", kOnly8),
tcgen05("SM100_MMA_S8_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindI8, kM64or128, kEvery16, "tcgen05.mma.cta_group::1.kind::i8", kOnly8),
pair(tcgen05("SM100_MMA_S8_2x1SM_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindI8, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::i8")),
pair(tcgen05("SM100_MMA_S8_2x1SM_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindI8, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::i8")),
sparse_pairs(tcgen05("SM100_MMA_S8_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindI8, kM64or128, kEvery16, "tcgen05.mma.sp.cta_group::1.kind::i8", kOnly8)),
pair(sparse_pairs(tcgen05("SM100_MMA_S8_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindI8, kM128or256, kEvery32, "tcgen05.mma.sp.cta_group::2.kind::i8"))),

tcgen05("SM100_MMA_F8F6F4_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindF8, kM64or128, kEvery8, "tcgen05.mma.cta_group::1.kind::f8f6f4"),
tcgen05("SM100_MMA_F8F6F4_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF8, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::f8f6f4"),
tcgen05("SM100_MMA_F8F6F4_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF8, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::f8f6f4"),
pair(tcgen05("SM100_MMA_F8F6F4_2x1SM_SS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ss, kKindF8, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::f8f6f4")),
pair(tcgen05("SM100_MMA_F8F6F4_2x1SM_TS<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindF8, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::f8f6f4")),
sparse_pairs(tcgen05("SM100_MMA_F8F6F4_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindF8, kM64, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::f8f6f4")),
sparse_pairs(tcgen05("SM100_MMA_F8F6F4_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindF8, kM128, kEvery16, "tcgen05.mma.sp.cta_group::1.kind::f8f6f4")),
pair(sparse_pairs(tcgen05("SM100_MMA_F8F6F4_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_ss, kKindF8, kM128or256, kEvery32, "tcgen05.mma.sp.cta_group::2.kind::f8f6f4"))),

scaled(tcgen05("SM100_MMA_MXF8F6F4_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, Kind{"f32", kKindF8.ab, 32}, kM128, kEvery8, "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale"), "ue8m0", {32, 32}),
scaled(pair(tcgen05("SM100_MMA_MXF8F6F4_2x1SM_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, Kind{"f32", kKindF8.ab, 32}, kM256, kEvery16, "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale")), "ue8m0", {32, 32}),
scaled(sparse_pairs(tcgen05("SM100_MMA_MXF8F6F4_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, Kind{"f32", kKindF8.ab, 32}, kM128, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::mxf8f6f4.block_scale")), "ue8m0", {32, 32}),
scaled(pair(sparse_pairs(tcgen05("SM100_MMA_MXF8F6F4_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, Kind{"f32", kKindF8.ab, 32}, kM256, kEvery16, "tcgen05.mma.sp.cta_group::2.kind::mxf8f6f4.block_scale"))), "ue8m0", {32, 32}),
scaled(tcgen05("SM100_MMA_MXF4_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4, kM128, kEvery8, "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X"), "ue8m0 ue4m3", {16, 16}),
scaled(tcgen05("SM100_MMA_MXF4_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4, kM128, kEvery8, "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.scale_vec::2X"), "ue8m0", {32, 32}),
scaled(pair(tcgen05("SM100_MMA_MXF4_2x1SM_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X")), "ue8m0 ue4m3", {16, 16}),
scaled(pair(tcgen05("SM100_MMA_MXF4_2x1SM_SS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::mxf4.block_scale.scale_vec::2X")), "ue8m0", {32, 32}),

scaled_c(tcgen05("SM100_MMA_F16BF16_SS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ss, kKindF16, kM64or128, kEvery8, "tcgen05.mma.cta_group::1.kind::f16")),
scaled_c(tcgen05("SM100_MMA_F16BF16_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindF16, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::f16")),
scaled_c(tcgen05("SM100_MMA_F16BF16_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindF16, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::f16")),
scaled_c(tcgen05("SM100_MMA_TF32_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindTf32, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::tf32")),
scaled_c(tcgen05("SM100_MMA_TF32_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindTf32, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::tf32")),
scaled_c(pair(tcgen05("SM100_MMA_F16BF16_2x1SM_SS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ss, kKindF16, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::f16"))),
scaled_c(pair(tcgen05("SM100_MMA_F16BF16_2x1SM_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindF16, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::f16"))),
scaled_c(pair(tcgen05("SM100_MMA_TF32_2x1SM_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindTf32, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::tf32"))),
scaled(sparse_nibbles(tcgen05("SM100_MMA_MXF4NVF4_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, kKindF4, kM128, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X")), "ue8m0 ue4m3", {32, 32}),
scaled(sparse_nibbles(tcgen05("SM100_MMA_MXF4NVF4_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, kKindF4, kM128, kEvery8, "tcgen05.mma.sp.cta_group::1.kind::mxf4.block_scale.scale_vec::2X")), "ue8m0", {64, 64}),
scaled(pair(sparse_nibbles(tcgen05("SM100_MMA_MXF4NVF4_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, kKindF4, kM256, kEvery16, "tcgen05.mma.sp.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X"))), "ue8m0 ue4m3", {32, 32}),
scaled(pair(sparse_nibbles(tcgen05("SM100_MMA_MXF4NVF4_2x1SM_SS_SPARSE<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_sparse_scaled_ss, kKindF4, kM256, kEvery16, "tcgen05.mma.sp.cta_group::2.kind::mxf4.block_scale.scale_vec::2X"))), "ue8m0", {64, 64}),

scaled_c(complex_pairs(tcgen05("SM100_MMA_F16BF16_SS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ss, kKindComplexF16, kM64or128, kEvery8, "tcgen05.mma.cta_group::1.kind::f16"))),
scaled_c(complex_pairs(tcgen05("SM100_MMA_F16BF16_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindComplexF16, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::f16"))),
scaled_c(complex_pairs(tcgen05("SM100_MMA_F16BF16_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindComplexF16, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::f16"))),
scaled_c(pair(complex_pairs(tcgen05("SM100_MMA_F16BF16_2x1SM_SS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ss, kKindComplexF16, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::f16")))),
scaled_c(pair(complex_pairs(tcgen05("SM100_MMA_F16BF16_2x1SM_TS_SCALED<{A.cute},{B.cute},{D.cute},{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b},{V}>", MmaForm::tcgen05_ts, kKindComplexF16, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::f16")))),
k_major(tcgen05("SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN<{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindComplexTf32, kM64, kEvery8, "tcgen05.mma.cta_group::1.kind::tf32")),
k_major(tcgen05("SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN<{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindComplexTf32, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::tf32")),
k_major(pair(tcgen05("SM100_MMA_TF32_2x1SM_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN<{M},{N},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_ts, kKindComplexTf32, kM128or256, kEvery32, "tcgen05.mma.cta_group::2.kind::tf32"))),

scaled(ultra(tcgen05("SM103::SM103_MXF4_ULTRA_SS_VS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4Ultra, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X")), "ue8m0 ue4m3", {16, 16}),
scaled(ultra(tcgen05("SM103::SM103_MXF4_ULTRA_SS_VS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4Ultra, kM128, kEvery16, "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::2X")), "ue8m0", {32, 32}),
scaled(ultra(pair(tcgen05("SM103::SM103_MXF4_ULTRA_2x1SM_SS_VS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4Ultra, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::4X"))), "ue8m0 ue4m3", {16, 16}),
scaled(ultra(pair(tcgen05("SM103::SM103_MXF4_ULTRA_2x1SM_SS_VS<{A.cute},{B.cute},{D.cute},{S.cute},{M},{N},{V},UMMA::Major::{major_a},UMMA::Major::{major_b}>", MmaForm::tcgen05_scaled_ss, kKindF4Ultra, kM128or256, kEvery16, "tcgen05.mma.cta_group::2.kind::mxf4nvf4.block_scale.scale_vec::2X"))), "ue8m0", {32, 32}),
};
// clang-format on

}  // namespace jute::atom

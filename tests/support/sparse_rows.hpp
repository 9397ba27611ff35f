#pragma once
// Rows of mma.sp as a user would write them: CuTe has none before Blackwell.
#include <jute/atom/catalogue.hpp>

#include <array>
#include <string>

namespace jute::test {

struct SparseRow {
  const char *name, *arch, *shape, *a_tv, *b_tv, *e_tv, *d, *ab, *e, *ptx;
};
// clang-format off
// Source: PTX ISA, matrix fragments and metadata for each shape of mma.sp.
inline constexpr std::array kSparseRows = {
SparseRow{"MY_SPARSE_16x8x16_F32F16F16F32", "sm80", "(16,8,16)", "((4,8),(4,2)):((64,1),(16,8))", "((4,8),(2,2)):((16,1),(8,64))",
          "((4,8),(16,2)):((0,1),(16,8))", "f32", "f16", "sparse8:u8", "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
SparseRow{"MY_SPARSE_16x8x32_F32F16F16F32", "sm80", "(16,8,32)", "((4,8),(4,2,2)):((64,1),(16,8,256))", "((4,8),(2,4)):((16,1),(8,64))",
          "((2,2,8),(16,2)):((256,0,1),(16,8))", "f32", "f16", "sparse8:u8", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32"},
SparseRow{"MY_SPARSE_16x8x32_F32BF16BF16F32", "sm80", "(16,8,32)", "((4,8),(4,2,2)):((64,1),(16,8,256))", "((4,8),(2,4)):((16,1),(8,64))",
          "((2,2,8),(16,2)):((256,0,1),(16,8))", "f32", "bf16", "sparse8:u8", "mma.sp.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32"},
SparseRow{"MY_SPARSE_16x8x8_F32TF32TF32F32", "sm80", "(16,8,8)", "((4,8),(2,2)):((32,1),(16,8))", "((4,8),2):((8,1),32)",
          "((4,8),(8,2)):((0,1),(16,8))", "f32", "tf32", "sparse4:u8", "mma.sp.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
SparseRow{"MY_SPARSE_16x8x16_F32TF32TF32F32", "sm80", "(16,8,16)", "((4,8),(2,2,2)):((32,1),(16,8,128))", "((4,8),4):((8,1),32)",
          "((2,2,8),(8,2)):((128,0,1),(16,8))", "f32", "tf32", "sparse4:u8", "mma.sp.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32"},
SparseRow{"MY_SPARSE_16x8x32_S32S8S8S32", "sm80", "(16,8,32)", "((4,8),(8,2)):((128,1),(16,8))", "((4,8),(4,2)):((32,1),(8,128))",
          "((2,2,8),32):((8,0,1),16)", "s32", "s8", "sparse8:u8", "mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
SparseRow{"MY_SPARSE_16x8x64_S32S8S8S32", "sm80", "(16,8,64)", "((4,8),(8,2,2)):((128,1),(16,8,512))", "((4,8),(4,4)):((32,1),(8,128))",
          "((2,2,8),32):((8,512,1),16)", "s32", "s8", "sparse8:u8", "mma.sp.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32"},
SparseRow{"MY_SPARSE_16x8x64_F32E4M3E4M3F32", "sm89", "(16,8,64)", "((4,8),(8,2,2)):((128,1),(16,8,512))", "((4,8),(4,4)):((32,1),(8,128))",
          "((2,2,8),32):((8,512,1),16)", "f32", "e4m3", "sparse8:u8", "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32"},
};
// clang-format on

inline AtomText text_of(const SparseRow& row) {
  return {{{"name", row.name},
           {"arch", row.arch},
           {"shape_mnk", row.shape},
           {"a_layout", row.a_tv},
           {"b_layout", row.b_tv},
           {"c_layout", "((4,8),(2,2)):((32,1),(16,8))"},
           {"e_layout", row.e_tv},
           {"e_type", row.e},
           {"d_type", row.d},
           {"a_type", std::string("sparse2:") + row.ab},
           {"b_type", row.ab},
           {"form", "mma_sparse"},
           {"ptx", row.ptx}}};
}

inline Catalogue with_sparse_rows() {
  Catalogue catalogue;
  for (const SparseRow& row : kSparseRows) catalogue = catalogue.with(text_of(row));
  return catalogue;
}
inline std::vector<std::string> sparse_row_names() {
  std::vector<std::string> names;
  for (const SparseRow& row : kSparseRows) names.emplace_back(row.name);
  return names;
}

}  // namespace jute::test

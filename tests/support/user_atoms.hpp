#pragma once
// Rows that no catalogue of jute's has, with the problem types that they multiply.
#include <jute/atom/catalogue.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

struct UserAtom {
  std::string_view name;
  std::string_view shape, a_layout, b_layout, c_layout;
  DType ab, accumulate;
  std::string_view ptx;
  bool is_right = true;  ///< what its layouts say is what the instruction does
};

/// A product does not depend on the order of k, so that A and B may agree on any other one: lane t
/// of four then holds neighbours along K where the manual's order gives it pairs far apart. In the
/// same way the columns of B and C may be renamed. A row whose operands disagree is accepted, for
/// each fragment alone is sound, and must give a wrong product.
// clang-format off
inline constexpr UserAtom kUserAtoms[] = {
  {"MY_16x8x16_K_IN_FOURS",  "(16,8,16)", "((4,8),(2,2,2)):((64,1),(16,8,32))", "((4,8),(2,2)):((32,1),(8,16))",             "((4,8),(2,2)):((32,1),(16,8))",
   DType::bf16, DType::f32, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
  {"MY_16x8x16_K_HALVES",    "(16,8,16)", "((4,8),(2,2,2)):((32,1),(128,8,16))", "((4,8),(2,2)):((16,1),(64,8))",            "((4,8),(2,2)):((32,1),(16,8))",
   DType::f16,  DType::f16, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16"},
  {"MY_16x8x16_N_RENAMED",   "(16,8,16)", "((4,8),(2,2,2)):((32,1),(16,8,128))", "((4,(2,2,2)),(2,2)):((16,(4,1,2)),(8,64))", "(((2,2),8),(2,2)):(((16,32),1),(64,8))",
   DType::bf16, DType::f32, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
  {"MY_16x8x8",              "(16,8,8)",  "((4,8),(2,2)):((32,1),(16,8))",       "((4,8),2):((16,1),8)",                     "((4,8),(2,2)):((32,1),(16,8))",
   DType::bf16, DType::f32, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32"},
  {"MY_16x8x4",              "(16,8,4)",  "((4,8),2):((16,1),8)",                "((4,8),1):((8,1),0)",                      "((4,8),(2,2)):((32,1),(16,8))",
   DType::f64,  DType::f64, "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64"},
  {"MY_16x8x32_K_IN_EIGHTS", "(16,8,32)", "((4,8),(4,2,2)):((128,1),(16,8,64))", "((4,8),(4,2)):((64,1),(8,32))",            "((4,8),(2,2)):((32,1),(16,8))",
   DType::s8,   DType::s32, "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32"},
  {"MY_16x8x16_DISAGREEING", "(16,8,16)", "((4,8),(2,2,2)):((64,1),(16,8,32))", "((4,8),(2,2)):((16,1),(8,64))",             "((4,8),(2,2)):((32,1),(16,8))",
   DType::bf16, DType::f32, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", false},
};
// clang-format on

inline AtomText row_of(const UserAtom& atom) {
  const auto text = [](std::string_view view) { return std::string(view); };
  const std::string ab(name(atom.ab)), c(name(atom.accumulate));
  return {{{"name", text(atom.name)},
           {"arch", "sm_80"},
           {"shape_mnk", text(atom.shape)},
           {"thr_id", "32:1"},
           {"a_layout", text(atom.a_layout)},
           {"b_layout", text(atom.b_layout)},
           {"c_layout", text(atom.c_layout)},
           {"d_type", c},
           {"a_type", ab},
           {"b_type", ab},
           {"c_type", c},
           {"form", "mma"},
           {"ptx", text(atom.ptx)},
           {"isa", "7.8"}}};
}

/// The built-in atoms and these.
inline Catalogue with_user_atoms() {
  Catalogue catalogue;
  for (const UserAtom& atom : kUserAtoms) catalogue = catalogue.with(row_of(atom));
  return catalogue;
}

}  // namespace jute::test

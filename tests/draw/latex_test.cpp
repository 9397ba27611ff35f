// TikZ pictures against the bytes of CuTe's print_latex.
#include <jute/draw/latex.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/atom/catalogue.hpp>

#include <fstream>
#include <sstream>

using namespace jute;
using jute::test::refusal_of;

namespace {

std::string golden(const std::string& name) {
  std::ifstream in(JUTE_SOURCE_DIR "/tests/golden/draw/" + name + ".tex", std::ios::binary);
  REQUIRE(in);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

struct LayoutCase {
  const char* file;
  const char* layout;
};
// clang-format off
const LayoutCase kLayouts[] = {
    {"layout_row_4x8", "(4,8):(8,1)"},
    {"layout_col_4x8", "(4,8):(1,4)"},
    {"layout_nested_4x4x2", "(4,(4,2)):(4,(1,16))"},
    {"layout_morton_8x8", "((2,2,2),(2,2,2)):((1,4,16),(2,8,32))"},
    {"layout_stride0", "((2,2),(2,4)):((0,2),(0,4))"},
    {"layout_1d_8", "8:2"},
    {"layout_non_pow2_3x5", "(3,5):(5,1)"},
    {"layout_blocked_6x8", "((3,2),(4,2)):((1,12),(3,24))"},
    {"layout_interleave_8x16", "(8,(8,2)):(8,(1,64))"},
    {"layout_sw_1_2_2_8x16", "Sw<1,2,2>o0o(8,16):(16,1)"},
};
struct MmaCase { const char* file; const char* atom; const char* atom_layout; const char* permutation; };
const MmaCase kMmas[] = {
    {"mma_SM80_16x8x8_F32TF32TF32F32_TN", "SM80_16x8x8_F32TF32TF32F32_TN", "(1,1,1)", "(_,_,_)"},
    {"mma_SM80_16x8x32_S32S8S8S32_TN", "SM80_16x8x32_S32S8S8S32_TN", "(1,1,1)", "(_,_,_)"},
    {"mma_SM70_8x8x4_F32F16F16F32_NT", "SM70_8x8x4_F32F16F16F32_NT", "(1,1,1)", "(_,_,_)"},
    {"mma_SM75_16x8x8_F32F16F16F32_TN", "SM75_16x8x8_F32F16F16F32_TN", "(1,1,1)", "(_,_,_)"},
    {"mma_SM89_16x8x32_F32E4M3E4M3F32_TN", "SM89_16x8x32_F32E4M3E4M3F32_TN", "(1,1,1)", "(_,_,_)"},
    {"mma_SM90_16x8x4_F64F64F64F64_TN", "SM90_16x8x4_F64F64F64F64_TN", "(1,1,1)", "(_,_,_)"},
    {"tiledmma_SM80_16x8x16_2x2x1_perm_32x32x16", "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", "(32,32,16)"},
    {"tiledmma_SM80_16x8x8_1x2x1_permN", "SM80_16x8x8_F32F16F16F32_TN", "(1,2,1)", "(_,(8,2,2):(1,16,8),_)"},
};
struct CopyCase { const char* file; const char* copy; const char* mma; const char* permutation; char operand; };
const CopyCase kCopies[] = {
    {"copy_ldsm_x4_A", "SM75_U32x4_LDSM_N", "SM80_16x8x16_F32F16F16F32_TN", "(_,_,_)", 'A'},
    {"copy_ldsm_x4_B", "SM75_U32x4_LDSM_N", "SM80_16x8x16_F32F16F16F32_TN", "(16,16,16)", 'B'},
    {"copy_ldsm_trans_x4_A", "SM75_U16x8_LDSM_T", "SM80_16x8x16_F32F16F16F32_TN", "(_,_,_)", 'A'},
    {"copy_stsm_x2_C", "SM90_U32x2_STSM_N", "SM80_16x8x16_F16F16F16F16_TN", "(_,_,_)", 'C'},
};
// clang-format on

TiledCopy tiled_copy(const CopyCase& one) {
  const CopyAtom atom = Catalogue().copy(one.copy);
  const ValueType type = parse_value_type("f16");
  const TiledMma mma(Catalogue().mma(one.mma), Layout(IntTuple("(1,1,1)")), Tiler(one.permutation));
  if (one.operand == 'A') return make_tiled_copy_A(atom, type, mma);
  return one.operand == 'B' ? make_tiled_copy_B(atom, type, mma)
                            : make_tiled_copy_C(atom, type, mma);
}

}  // namespace

TEST_CASE("a layout's TikZ picture is CuTe's, byte for byte", "[draw][latex][golden]") {
  for (const LayoutCase& one : kLayouts) {
    INFO(one.file);
    CHECK((draw_latex(ComposedLayout(one.layout)) == golden(one.file)));
  }
}

TEST_CASE("an MMA's TikZ picture is CuTe's, byte for byte", "[draw][latex][golden]") {
  for (const MmaCase& one : kMmas) {
    INFO(one.file);
    const TiledMma tiled(Catalogue().mma(one.atom), Layout(IntTuple(one.atom_layout)),
                         Tiler(one.permutation));
    CHECK((draw_latex(tiled) == golden(one.file)));
  }
}

TEST_CASE("a copy's TikZ picture is CuTe's, byte for byte", "[draw][latex][golden]") {
  for (const CopyCase& one : kCopies) {
    INFO(one.file);
    CHECK((draw_latex(tiled_copy(one)) == golden(one.file)));
  }
}

TEST_CASE("an atom is drawn as one of itself", "[draw][latex]") {
  const MmaAtom atom = Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN");
  CHECK((draw_latex(atom) == draw_latex(TiledMma(atom))));
}

TEST_CASE("a TV layout is drawn over its tile", "[draw][latex]") {
  const std::string text = draw_latex(Layout("((4,8),2):((16,1),8)"), IntTuple("(8,8)"));
  CHECK(text.starts_with("% Layout TV: ArithTuple(_0,_0) o ((_4,_8),_2):((_2@1,_1@0),_1@1)\n"));
  CHECK(text.find("at (1,0) {\\shortstack{T4 \\\\ V0}};") != std::string::npos);
}

TEST_CASE("TikZ pictures refuse what does not fit a page", "[draw][latex][refusal]") {
  CHECK(refusal_of([] { return draw_latex(ComposedLayout("(2,2,2):(1,2,4)")); }).code ==
        ErrorCode::wrong_arity);
  CHECK(refusal_of([] { return draw_latex(ComposedLayout("(1024,1024):(1,1024)")); }).code ==
        ErrorCode::out_of_range);
  CHECK(refusal_of([] { return draw_latex(Layout("(32,2):(1,64)"), IntTuple("(8,8)")); }).code ==
        ErrorCode::out_of_range);
  CHECK(refusal_of([] { return draw_latex(Layout("64:1"), IntTuple("(8,8)")); }).code ==
        ErrorCode::wrong_arity);
}

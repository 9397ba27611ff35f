// The atom tables against outside facts, and the laws that every row obeys.
#include <jute/atom/catalogue.hpp>

#include "atom/golden_lines.hpp"
#include "base/format.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <set>

using namespace jute;
using jute::test::golden_lines;
using jute::test::GoldenLine;

namespace {

std::string field_text(const std::vector<AtomField>& fields, const std::string& key) {
  for (const AtomField& field : fields)
    if (field.key == key) return field.text.value_or("null");
  return "(absent)";
}

/// Fields of a golden line that the atom's own fields contradict.
std::string differences(const std::vector<AtomField>& fields, const GoldenLine& line) {
  std::string text;
  for (const auto& [key, wanted] : line) {
    if (key == "id" || key == "upstream_defect") continue;
    // The one row whose outside fact is wrong: a stride that is not congruent with its shape.
    if (key == "a_layout" && line.contains("upstream_defect")) continue;
    const std::string found = field_text(fields, key);
    if (found != wanted) text += base::format("{}: {} instead of {}; ", key, found, wanted);
  }
  return text;
}

}  // namespace

TEST_CASE("MMA atoms agree with CuTe's traits", "[atom][catalogue][golden]") {
  const Catalogue catalogue;
  for (const GoldenLine& line : golden_lines("mma_atoms.jsonl")) {
    INFO(line.at("name"));
    CHECK(differences(fields(catalogue.mma(line.at("name"))), line).empty());
  }
}

TEST_CASE("copy atoms agree with CuTe's traits", "[atom][catalogue][golden]") {
  const Catalogue catalogue;
  for (const GoldenLine& line : golden_lines("copy_atoms.jsonl")) {
    INFO(line.at("name"));
    CHECK(differences(fields(catalogue.copy(line.at("name"))), line).empty());
  }
}

TEST_CASE("every listed name is found again under its own name", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  std::set<std::string> names;
  for (const AtomSummary& summary : catalogue.list()) {
    INFO(summary.name);
    CHECK(names.insert(summary.name).second);
    if (summary.kind == AtomKind::mma) {
      CHECK(catalogue.mma(summary.name).name == summary.name);
    } else {
      CHECK(catalogue.copy(summary.name).name == summary.name);
    }
  }
}

TEST_CASE("copy atoms of a form are those of the list, composed", "[atom][catalogue][law]") {
  CopyAtom row = Catalogue().copy("SM75_U32x2_LDSM_N");
  row.name = "my_matrix_load";
  const Catalogue catalogue = Catalogue().with(row);
  for (const Arch arch : {Arch{70}, Arch{75}, Arch{90, 'a'}, Arch{120, 'a'}})
    for (const CopyForm form : {CopyForm::ldmatrix, CopyForm::cp_async, CopyForm::universal}) {
      std::vector<CopyAtom> expected;
      for (const AtomSummary& summary : catalogue.list(arch))
        if (summary.kind == AtomKind::copy && summary.form == name(form))
          expected.push_back(catalogue.copy(summary.name));
      INFO(to_string(arch) << " " << name(form));
      CHECK(catalogue.copies(form, arch) == expected);
    }
}

TEST_CASE("every built-in atom keeps every rule", "[atom][catalogue][law]") {
  const Catalogue catalogue;
  for (const AtomSummary& summary : catalogue.list()) {
    INFO(summary.name);
    const auto broken = summary.kind == AtomKind::mma ? check(catalogue.mma(summary.name))
                                                      : check(catalogue.copy(summary.name));
    if (!broken.empty()) FAIL_CHECK(broken.front());
  }
}

TEST_CASE("a hole may stand for 0, and a number has no zeros in front", "[atom][catalogue]") {
  const Catalogue catalogue;
  const auto named = [](const std::string& scale) {
    return "SM100_MMA_TF32_TS_SCALED<tfloat32_t,tfloat32_t,float,128,64,UMMA::Major::K,"
           "UMMA::Major::K," +
           scale + ">";
  };
  CHECK(catalogue.mma(named("0")).name == named("0"));
  CHECK(catalogue.mma(named("15")).name == named("15"));
  for (const char* wrong : {"16", "00", "01", "-1", "", "-0"}) {
    INFO(wrong);
    CHECK_FALSE(catalogue.try_mma(named(wrong)));
  }
  CHECK_FALSE(catalogue.try_mma("SM90_64x0x16_F16F16F16_SS"));
}

TEST_CASE("one bit is a mode of extent 1, which has stride 0", "[atom][catalogue]") {
  const CopyAtom atom = Catalogue().copy("UniversalCopy<uint1_t>");
  CHECK(atom.src_layout == Layout("(1,1):(0,0)"));
  CHECK(atom.dst_layout == atom.src_layout);
  CHECK(Catalogue().copy("UniversalCopy<uint4_t>").src_layout == Layout("(1,4):(0,1)"));
}

// Source: CuTe's traits of these instructions.
TEST_CASE("K is as many elements as the operands' kind has in a tcgen05 instruction",
          "[atom][catalogue]") {
  struct Wanted {
    const char* name;
    const char* shape;
    const char* thr_id;
    const char* a_layout;
    const char* a_type;
    const char* arch;
  };
  // clang-format off
  const Wanted table[] = {
  {"SM100_MMA_TF32_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN<64,8,UMMA::Major::K,UMMA::Major::K>", "(64,8,4)", "1:0", "(1,(64,4)):(0,(1,64))", "ctf32", "sm100a"},
  {"SM100_MMA_TF32_2x1SM_TS_INTERLEAVED_CF32CTF32CTF32CF32_TN<256,64,UMMA::Major::K,UMMA::Major::K>", "(256,64,4)", "2:1", "(2,(128,4)):(128,(1,256))", "ctf32", "sm100a"},
  {"SM100_MMA_F16BF16_SS_SCALED<cutlass::complex<half_t>,cutlass::complex<half_t>,float,128,64,UMMA::Major::K,UMMA::Major::MN,3>", "(128,64,8)", "1:0", "(1,(128,8)):(0,(1,128))", "c16", "sm100a"},
  {"SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,64,16,UMMA::Major::K,UMMA::Major::K>", "(128,64,96)", "1:0", "(1,(128,96)):(0,(1,128))", "e2m1", "sm103a"},
  {"SM103::SM103_MXF4_ULTRA_2x1SM_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue8m0_t,256,32,32,UMMA::Major::K,UMMA::Major::K>", "(256,32,96)", "2:1", "(2,(128,96)):(128,(1,256))", "e2m1", "sm103a"},
  };
  // clang-format on
  for (const Wanted& wanted : table) {
    INFO(wanted.name);
    const MmaAtom atom = Catalogue().mma(wanted.name);
    CHECK(to_string(atom.shape) == wanted.shape);
    CHECK(atom.thr_id == Layout(wanted.thr_id));
    CHECK(atom.a_layout == Layout(wanted.a_layout));
    CHECK(atom.a_type.name == wanted.a_type);
    CHECK(field_text(fields(atom), "arch") == wanted.arch);
    CHECK(check(atom).empty());
  }
  // Ultra: K-major only, and factors for 32 values are powers of two.
  for (const char* wrong :
       {"SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,64,32,"
        "UMMA::Major::K,UMMA::Major::K>",
        "SM103::SM103_MXF4_ULTRA_SS_VS<float_e2m1_t,float_e2m1_t,float,float_ue4m3_t,128,64,16,"
        "UMMA::Major::MN,UMMA::Major::K>"})
    CHECK_FALSE(Catalogue().try_mma(wrong));
}

// `jute atom` and the user's own rows.
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("atoms are listed by architecture and form", "[cli][atom]") {
  const ProcessResult all = run_jute({"atom", "list"});
  CHECK(all.status == 0);
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') > 500);
  const ProcessResult ampere = run_jute({"atom", "list", "--arch", "sm_80", "--form", "mma"});
  CHECK(ampere.out.find("SM80_16x8x16_F32F16F16F32_TN") != std::string::npos);
  CHECK(ampere.out.find("SM90") == std::string::npos);
  CHECK(ampere.out.find("LDSM") == std::string::npos);
  CHECK(run_jute({"atom", "list", "--json", "--form", "ldmatrix"})
            .out.starts_with("{\"name\":\"SM75_U32x1_LDSM_N\",\"kind\":\"copy\""));
}

TEST_CASE("a form that no atom has is refused with the nearest", "[cli][atom][refusal]") {
  require_refusal(run_jute({"atom", "list", "--form", "mmma"}), 2, "(nearest legal: mma)");
  require_refusal(run_jute({"atom", "verify", "--all", "--form", "ldmatrx"}), 2,
                  "(nearest legal: ldmatrix)");
  require_refusal(run_jute({"atom", "verify", "SM80_16x8x16_F32F16F16F32_TN", "--form", "mma"}), 2,
                  "it needs --all");
  // A form that this architecture lacks is a form all the same.
  const ProcessResult none = run_jute({"atom", "list", "--arch", "sm_70", "--form", "ldmatrix"});
  CHECK(none.status == 0);
  CHECK(none.out.empty());
}

TEST_CASE("an atom is shown with everything that is known", "[cli][atom]") {
  const ProcessResult result = run_jute({"atom", "show", "SM80_16x8x16_F32F16F16F32_TN", "--json"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("{\"name\":\"SM80_16x8x16_F32F16F16F32_TN\""));
  CHECK(result.out.find("\"a_layout\":\"((4,8),(2,2,2)):((32,1),(16,8,128))\"") !=
        std::string::npos);
  CHECK(run_jute({"atom", "show", "SM80_16x8x16_F32F16F16F32_TN"})
            .out.find("mma.sync.aligned.m16n8k16") != std::string::npos);
}

TEST_CASE("an atom's instruction is printed as a function", "[cli][atom]") {
  const ProcessResult wgmma = run_jute({"atom", "show", "SM90_64x16x16_F32F16F16_SS", "--source"});
  CHECK(wgmma.out.find("\"+f\"(d_reg[7])") != std::string::npos);
  CHECK(wgmma.out.find("mma.sync") == std::string::npos);
  const ProcessResult copy = run_jute({"atom", "show", "SM75_U32x2_LDSM_N", "--source", "--json"});
  CHECK(copy.out.starts_with("{\"name\":\"SM75_U32x2_LDSM_N\",\"copy\":\"// instruction/"));
  require_refusal(run_jute({"atom", "show", "UniversalCopy<uint32_t>", "--source"}), 2,
                  "it must be one instruction");
  require_refusal(run_jute({"atom", "show", "--source"}), 2, "it needs the name of an atom");
}

TEST_CASE("an atom is printed as CuTe prints it", "[cli][atom]") {
  const auto printed = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"atom", "show", "--cute"};
    words.insert(words.end(), more.begin(), more.end());
    return run_jute(words).out;
  };
  CHECK(printed({"SM80_16x8x16_F32F16F16F32_TN"}) ==
        "MMA_Atom\n"
        "  ThrID:      _32:_1\n"
        "  Shape_MNK:  (_16,_8,_16)\n"
        "  LayoutA_TV: ((_4,_8),(_2,_2,_2)):((_32,_1),(_16,_8,_128))\n"
        "  LayoutB_TV: ((_4,_8),(_2,_2)):((_16,_1),(_8,_64))\n"
        "  LayoutC_TV: ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))\n");
  CHECK(printed({"SM75_U32x4_LDSM_N"}) ==
        "Copy_Atom\n"
        "  ThrID:        _32:_1\n"
        "  ValLayoutSrc: (_32,_8):(_8,_1)\n"
        "  ValLayoutDst: (_32,(_2,_4)):(_2,(_1,_64))\n"
        "  ValLayoutRef: (_32,(_2,_4)):(_2,(_1,_64))\n"
        "  ValueType:    16b\n");
  CHECK(printed({"SM75_U32x4_LDSM_N", "--type", "f32"}).find("  ValueType:    32b\n") !=
        std::string::npos);
  require_refusal(run_jute({"atom", "show", "SM75_U32x4_LDSM_N", "--type", "f32"}), 2,
                  "it needs --cute");
  require_refusal(
      run_jute({"atom", "show", "SM80_16x8x16_F32F16F16F32_TN", "--cute", "--type", "f32"}), 2,
      "it needs a copy atom");
}

TEST_CASE("a name that no atom has offers the nearest", "[cli][atom][refusal]") {
  require_refusal(run_jute({"atom", "show", "SM80_16x8x16_F32F16F16F23_TN"}), 2,
                  "SM80_16x8x16_F32F16F16F32_TN");
}

TEST_CASE("rows of a file are atoms like any other", "[cli][atom]") {
  const TemporaryFolder folder;
  std::string row = run_jute({"atom", "show", "SM80_16x8x8_F32F16F16F32_TN", "--json"}).out;
  const std::string name = "SM80_16x8x8_F32F16F16F32_TN";
  row.replace(row.find(name), name.size(), "MY_16x8x8");
  const std::string file = folder.file("atoms.json");
  std::ofstream(file) << row;
  const ProcessResult shown = run_jute({"atom", "show", "MY_16x8x8", "--atoms", file});
  INFO(shown.err);
  CHECK(shown.status == 0);
  CHECK(run_jute({"atom", "list", "--atoms", file}).out.find("MY_16x8x8\n") != std::string::npos);
  CHECK(run_jute({"eval", "shape_mnk(mma_atom(MY_16x8x8))", "--atoms", file}).out == "(16,8,8)\n");

  std::ofstream(file) << "{\"name\": \"MY_BROKEN\", \"ptx\": \"exit; mma.sync\"}";
  require_refusal(run_jute({"atom", "list", "--atoms", file}), 2, "illegal_atom");
  std::ofstream(file) << "not json";
  require_refusal(run_jute({"atom", "list", "--atoms", file}), 2, "line 1 must be a JSON object");
  std::ofstream(file) << "[3]";
  require_refusal(run_jute({"atom", "list", "--atoms", file}), 2, "bad_file");
}

// `jute atom verify`: tables, exit statuses and a user's own rows.
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

namespace {

ProcessResult verify(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"atom", "verify"});
  arguments.insert(arguments.end(), {"--device", "emulator"});
  return run_jute(std::move(arguments));
}

/// The row of an atom as JSON under a name of its own, with one text replaced.
std::string row_of(const std::string& atom, const std::string& name, const std::string& from,
                   const std::string& to) {
  std::string row = run_jute({"atom", "show", atom, "--json"}).out;
  row.replace(row.find(atom), atom.size(), name);
  if (!from.empty()) row.replace(row.find(from), from.size(), to);
  return row;
}

}  // namespace

TEST_CASE("an atom is proved, and the line says by how much", "[cli][atom]") {
  const ProcessResult result = verify({"SM80_16x8x8_F32F16F16F32_TN", "SM75_U32x4_LDSM_N"});
  INFO(result.err << result.out);
  CHECK(result.status == 0);
  CHECK(result.out.find("proved          320 pairs in 25 runs\n") != std::string::npos);
  CHECK(result.out.ends_with("2 atoms on emulator: 2 proved, 0 refuted, 0 not executable\n"));
}

TEST_CASE("a proof is an object on a line, and the totals come last", "[cli][atom]") {
  const ProcessResult result = verify({"SM80_16x8x8_F32F16F16F32_TN", "--json"});
  CHECK(
      result.out.starts_with("{\"name\":\"SM80_16x8x8_F32F16F16F32_TN\",\"form\":\"mma\","
                             "\"arch\":\"sm80\",\"where\":\"emulator\",\"result\":\"proved\""));
  CHECK(
      result.out.ends_with("{\"where\":\"emulator\",\"atoms\":1,\"proved\":1,\"refuted\":0,"
                           "\"not_executable\":0,\"faulted\":0}\n"));
}

TEST_CASE("a user's row is proved like any other, and a wrong one is refuted", "[cli][atom]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("atoms.json");
  const std::string atom = "SM80_16x8x8_F32F16F16F32_TN";
  std::ofstream(file) << row_of(atom, "MY_ATOM", "", "")
                      << row_of(atom, "MY_WRONG_ATOM",
                                "\"c_layout\":\"((4,8),(2,2)):((32,1),(16,8))\"",
                                "\"c_layout\":\"((4,8),(2,2)):((32,1),(8,16))\"");
  const ProcessResult right = verify({"MY_ATOM", "--atoms", file});
  INFO(right.err << right.out);
  CHECK(right.status == 0);
  const ProcessResult wrong = verify({"MY_WRONG_ATOM", "--atoms", file});
  INFO(wrong.err << wrong.out);
  CHECK(wrong.status == 1);
  CHECK(wrong.out.find("refuted         D thread 0 value 1: expected ") != std::string::npos);
}

TEST_CASE("names or --all, one of the two", "[cli][atom][refusal]") {
  require_refusal(verify({}), 2, "--all");
  require_refusal(verify({"SM61_DP4A", "--all"}), 2, "--all");
}

TEST_CASE("an atom for another chip is no failure", "[cli][atom]") {
  const ProcessResult result = verify({"SM100_TMEM_LOAD_32dp32b4x"});
  CHECK(result.status == 0);
  CHECK(result.out.find("not executable  it needs sm_100a, this is sm_90a\n") != std::string::npos);
}

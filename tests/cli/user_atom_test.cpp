// `--atoms FILE`: rows of a JSON file in whole GEMMs.
#include <fstream>
#include <string>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"
#include "support/user_atoms.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::string as_json(const AtomText& row) {
  std::string text;
  for (const auto& [key, value] : row.fields)
    text += (text.empty() ? "{\"" : ",\n \"") + key + "\": \"" + value + "\"";
  return text + "}";
}

/// D of small whole numbers against the reference, on the emulator.
ProcessResult multiply(const std::string& file, const UserAtom& atom) {
  const std::string ab(name(atom.ab)), accumulate(name(atom.accumulate));
  return run_jute({"gemm",
                   "--device",
                   "emulator",
                   "--atoms",
                   file,
                   "--mma",
                   std::string(atom.name),
                   "--type",
                   ab,
                   "--out-type",
                   accumulate,
                   "--acc",
                   accumulate,
                   "--m",
                   "70",
                   "--n",
                   "45",
                   "--k",
                   "72",
                   "--order-b",
                   "col",
                   "--random",
                   "3",
                   "--integers",
                   "--verify"},
                  {.environment = {{"JUTE_CACHE", "off"}}});
}

}  // namespace

TEST_CASE("atoms of a JSON file multiply on the emulator", "[cli][gemm][user_atoms]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("atoms.json");
  std::string rows;
  for (const UserAtom& atom : kUserAtoms)
    rows += (rows.empty() ? "[" : ",\n") + as_json(row_of(atom));
  std::ofstream(file) << rows << "]\n";
  for (const UserAtom& atom : kUserAtoms) {
    const ProcessResult result = multiply(file, atom);
    INFO(atom.name << "\n" << result.out << result.err);
    CHECK(result.status == (atom.is_right ? 0 : 1));
  }
}

TEST_CASE("a NUL in a field of an atom is shown and cuts no message",
          "[cli][user_atoms][refusal]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("atoms.json");
  std::ofstream(file) << R"({"name": "A\u0000B", "arch": "sm_\u0000word", "ptx": "mma"})";
  const ProcessResult result = run_jute({"atom", "list", "--atoms", file});
  require_refusal(result, 2, "A?B");
  CHECK(result.err.find("arch = sm_?word") != std::string::npos);
}

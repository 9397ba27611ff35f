// `jute gemm --mesh`: ranks on emulators, judged as one product, and what is refused.
#include <jute/base/types.hpp>

#include "cli/command.hpp"
#include "files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::command;
using namespace jute::test;

namespace {

std::vector<std::string> mesh_line(const std::string& rest) {
  return command_words("gemm --m 40 --n 24 --k 36 --random 1 --device emulator --mesh tp=3 " +
                       rest);
}

}  // namespace

TEST_CASE("gemm on a mesh moves what is planned and its D is right", "[cli][ranks]") {
  struct Row {
    std::string place;
    Index bytes;
  };
  // Of A, or of each rank's summand, two thirds leave the rank: M = 40 in parts of 14, 14 and 12.
  const std::vector<Row> rows{
      {"A=M@tp,B=N@tp,D=N@tp --share N@tp", 2 * 40 * 36 * 4},
      {"A=K@tp,B=K@tp,D=M@tp --share K@tp", 2 * 40 * 24 * 4},
      {"A=K@tp,B=K@tp,D=M@tp --share K@tp --wire bf16 --type bf16", 2 * 40 * 24 * 2}};
  for (const auto& [place, bytes] : rows) {
    INFO(place);
    const ProcessResult result = run_jute(mesh_line("--verify --place " + place));
    INFO(result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.find("3 ranks, each emulator") != std::string::npos);
    CHECK(result.out.find("check    ok") != std::string::npos);
    CHECK(result.out.find("moved    " + std::to_string(bytes) + " bytes") != std::string::npos);
  }
}

TEST_CASE("D of a mesh is D of one rank where sums are exact", "[cli][ranks]") {
  const TemporaryFolder folder;
  const std::string shape = "gemm --m 17 --n 13 --k 29 --random 3 --integers --device emulator ";
  const std::string one = folder.file("one.npy"), mesh = folder.file("mesh.npy");
  CHECK(run_jute(command_words(shape + "-o " + one)).status == 0);
  const ProcessResult result = run_jute(command_words(
      shape + "--mesh row=2,col=2 --place A=M@row,K@col,B=N@col,K@row,D=M@row,N@col -o " + mesh));
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK(read_text(one) == read_text(mesh));
}

TEST_CASE("gemm on a mesh refuses what it leaves out", "[cli][ranks][refusal]") {
  require_refusal(run_jute(mesh_line("--repeat 2")), 2, "--repeat");
  require_refusal(run_jute(mesh_line("--stamps s.csv")), 2, "--stamps");
  require_refusal(run_jute(mesh_line("--place A=M@up")), 2, "up");
  require_refusal(run_jute(command_words("gemm --m 8 --n 8 --k 8 --random 1 --place A=M@tp")), 2,
                  "--mesh");
}

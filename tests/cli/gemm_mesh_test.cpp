// `jute gemm --mesh`: ranks on emulators, judged as one product, and what is refused.
#include <jute/base/types.hpp>

#include <algorithm>

#include "cli/command.hpp"
#include "files/files.hpp"
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
  require_refusal(run_jute(mesh_line("--place A=K@tp,B=K@tp,D=+tp")), 2, "D=all");
  for (const char* seconds : {"0", "-5", "nan", "1e300"})
    require_refusal(run_jute(mesh_line(std::string("--timeout ") + seconds)), 2, "--timeout");
  require_refusal(run_jute(command_words("gemm --m 8 --n 8 --k 8 --random 1 --place A=M@tp")), 2,
                  "--mesh");
}

TEST_CASE("gemm on a mesh waits for rows as they come where it is asked to", "[cli][ranks]") {
  const std::string words =
      " --mesh tp=2 --place A=M@tp,B=N@tp,D=N@tp --share N@tp --m 256 --n 128 --k 64 --type bf16 "
      "--order-b col --overlap arrival";
  const ProcessResult planned = run_jute(command_words("plan" + words));
  CHECK(planned.out.find("a flag behind each 128 rows") != std::string::npos);
  const ProcessResult json = run_jute(command_words("plan --json" + words));
  CHECK(json.out.find("a flag behind each 128 rows") != std::string::npos);
  const ProcessResult run =
      run_jute(command_words("gemm --random 1 --verify --check full --device emulator" + words));
  INFO(run.out << run.err);
  CHECK(run.status == 0);
  CHECK(run.out.find("check    ok") != std::string::npos);
  // Parts of 14 rows are no whole tiles.
  require_refusal(run_jute(mesh_line("--overlap arrival --place A=M@tp,B=N@tp,D=N@tp")), 2,
                  "overlap");
}

TEST_CASE("gemm and plan store summands where they are added", "[cli][ranks]") {
  const std::string words =
      " --mesh tp=3 --place A=K@tp,B=K@tp,D=M@tp --m 48 --n 64 --k 96 --type bf16 --overlap store";
  for (const char* json : {"", " --json"}) {
    const ProcessResult planned = run_jute(command_words("plan" + words + json));
    CHECK(planned.out.find("stored by its products as summand 0 to summand 2") !=
          std::string::npos);
  }
  const ProcessResult run =
      run_jute(command_words("gemm --random 1 --verify --check full --device emulator" + words));
  INFO(run.out << run.err);
  CHECK(run.status == 0);
  CHECK(run.out.find("check    ok") != std::string::npos);
  require_refusal(run_jute(command_words("plan" + words + " --order-d col")), 2, "overlap");
}

TEST_CASE("gemm on a mesh overlaps exchanges with products where it is asked to", "[cli][ranks]") {
  const std::string place = "--place A=M@tp,B=N@tp,D=N@tp --share N@tp ";
  const ProcessResult chunks = run_jute(mesh_line("--verify --overlap chunks " + place));
  INFO(chunks.out << chunks.err);
  CHECK(chunks.status == 0);
  CHECK(chunks.out.find("step     bring A, round 2") != std::string::npos);
  CHECK(chunks.out.find("step     multiply, round 2") != std::string::npos);
  CHECK(chunks.out.find("check    ok") != std::string::npos);
  const ProcessResult none = run_jute(mesh_line("--overlap none " + place));
  CHECK(none.out.find("round") == std::string::npos);
  require_refusal(run_jute(mesh_line("--overlap chunks --place A=M@tp,D=M@tp --share M@tp")), 2,
                  "overlap");
}

TEST_CASE("plan leaves the transport's multiprocessors alone where it is asked to",
          "[cli][ranks]") {
  const std::string words =
      "plan --mesh tp=2 --place A=M@tp,B=N@tp,D=N@tp --share N@tp --m 8192 --n 28672 --k 8192 "
      "--type bf16 --order-b col --overlap chunks --transport-sms ";
  const ProcessResult some = run_jute(command_words(words + "16"));
  INFO(some.out << some.err);
  CHECK(some.status == 0);
  CHECK(some.out.find("transport-sms=16") != std::string::npos);
  require_refusal(run_jute(command_words(words + "132")), 2, "transport-sms");
}

TEST_CASE("transports that emulators do not have are refused", "[cli][ranks][refusal]") {
  require_refusal(run_jute(mesh_line("--transport nccl")), 2, "--transport");
  require_refusal(run_jute(mesh_line("--transport copies")), 2, "--transport");
  const ProcessResult host = run_jute(mesh_line("--transport host"));
  CHECK(host.status == 0);
  CHECK(host.out.find("by host") != std::string::npos);
}

TEST_CASE("placements are drawn by rank, and steps of a distributed problem on their lanes",
          "[cli][ranks][draw]") {
  const auto drawn = [](const std::vector<std::string>& words) {
    const ProcessResult result = run_jute(words);
    INFO(result.err);
    CHECK(result.status == 0);
    return result.out;
  };
  const std::string whole =
      drawn({"draw", "A=M@row,K@col", "--mesh", "row=2,col=2", "--tv", "4x4", "--ascii"});
  for (const char* rank : {"T0", "T1", "T2", "T3"}) CHECK(whole.find(rank) != std::string::npos);
  CHECK(whole.find("T is the rank, V which of its elements") != std::string::npos);
  CHECK(whole.find("T4") == std::string::npos);
  const std::string problem =
      "M=8192 N=28672 K=8192 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 mesh=tp=2 "
      "place=A=M@tp,B=N@tp,D=N@tp share=N@tp overlap=";
  const std::string chunks = drawn({"draw", problem + "chunks"});
  CHECK(std::ranges::count(chunks, '\n') == 3);
  CHECK(chunks.find("comm") != std::string::npos);
  CHECK(chunks.find("multiply, round 1") != std::string::npos);
  const TemporaryFolder folder;
  CHECK(run_jute({"draw", problem + "none", "-o", folder.file("lanes.svg")}).status == 0);
  const std::string svg = read_text(folder.file("lanes.svg"));
  CHECK(svg.find("<svg") != std::string::npos);
  CHECK(svg.find("multiply: ") != std::string::npos);
  // The whole problem stands above, in lines that the picture is as wide as.
  constexpr size_t kMostLetters = 140;
  for (const char* part : {"M=8192", "place=A=M@tp", "overlap=none"})
    CHECK(svg.find(part) < svg.find(">compute<"));
  for (size_t at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1))
    CHECK(svg.find("</text>", at) - svg.find('>', at) <= kMostLetters + 1);
  require_refusal(run_jute({"draw", "A=M@tp", "--mesh", "tp=2"}), 2, "--tv");
  require_refusal(run_jute({"draw", problem + "none", "-o", "lanes.pdf"}), 2, "-o");
}

TEST_CASE("inputs of the epilogue and scales of rows work on a mesh", "[cli][ranks]") {
  const std::string epilogue = " --epilogue acc*w[m]+bias[n]+rest[m,n] ";
  for (const std::string rest :
       {"--place A=K@tp,B=K@tp,D=M@tp --share K@tp", "--place A=M@tp,B=N@tp,D=N@tp --share N@tp",
        "--place A=K@tp,B=K@tp --share K@tp --overlap one-shot"}) {
    INFO(rest);
    const ProcessResult result = run_jute(mesh_line("--verify" + epilogue + rest));
    INFO(result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.find("check    ok") != std::string::npos);
  }
  const ProcessResult scaled = run_jute(
      mesh_line("--verify --type e4m3 --out-type f32 --scale-a f32 --block-a 1xall --scale-b f32 "
                "--block-b 1xall --place A=K@tp,B=K@tp,D=M@tp --share K@tp"));
  INFO(scaled.out << scaled.err);
  CHECK(scaled.status == 0);
  CHECK(scaled.out.find("check    ok") != std::string::npos);
}

TEST_CASE("the problem that a plan of a mesh prints is one that commands read", "[cli][ranks]") {
  for (const std::string rest :
       {"--mesh tp=3 --place A=K@tp,B=K@tp,D=M@tp --share K@tp --wire bf16 --overlap chunks",
        "--mesh row=2,col=2 --place A=M@row,K@col,B=N@col,K@row,D=M@row,N@col --transport-sms 16",
        "--ranks 2 --place A=K@tp,B=K@tp --reduce nccl --epilogue relu(acc+bias[n])",
        "--ranks 2 --place A=K@tp,B=K@tp"}) {
    INFO(rest);
    const ProcessResult first =
        run_jute(command_words("plan --m 40 --n 24 --k 36 --type bf16 " + rest));
    INFO(first.err);
    REQUIRE(first.status == 0);
    const size_t at = first.out.find("\nproblem ") + 9;
    const std::string problem = first.out.substr(at, first.out.find('\n', at) - at);
    const ProcessResult again = run_jute({"plan", "--problem", problem});
    INFO(again.err);
    // Without its sentence of why: the share is the caller's then.
    const size_t device = first.out.find("\ndevice "), of_again = again.out.find("\ndevice ");
    REQUIRE(of_again != std::string::npos);
    CHECK(again.out.find("\nproblem " + problem + "\n") != std::string::npos);
    CHECK(again.out.substr(of_again, again.out.find("\nwhy ", of_again) - of_again) ==
          first.out.substr(device, first.out.find("\nwhy ", device) - device));
  }
  const std::string text = "M=8 N=8 K=8 mesh=tp=2 place=A=M@tp";
  require_refusal(run_jute({"plan", "--problem", text, "--mesh", "tp=2"}), 2, "--mesh");
  require_refusal(run_jute({"plan", "--problem", text, "--share", "M@tp"}), 2, "--share");
  require_refusal(run_jute({"plan", "--problem", text + " mesh=tp=2"}), 2, "once");
  require_refusal(run_jute(command_words("plan --m 8 --n 8 --k 8 --transport-sms 4")), 2,
                  "--transport-sms");
}

TEST_CASE("a plan of a mesh begins with three sentences", "[cli][ranks]") {
  const std::string line =
      "plan --ranks 2 --place A=K@tp,B=K@tp --m 64 --n 256 --k 256 --type bf16";
  const ProcessResult result = run_jute(command_words(line));
  CHECK(result.out.starts_with("Runs "));
  CHECK(result.out.find(" on each of 2 ranks: ") != std::string::npos);
  CHECK(result.out.find("\nExpected to take ") != std::string::npos);
  CHECK(result.out.find("\nShare ") < result.out.find("\nproblem "));
  CHECK(run_jute(command_words(line + " --json")).out.find("\"summary\":{\"runs\":\"Runs ") !=
        std::string::npos);
}

TEST_CASE("an overlap that is asked for is of the fastest share that has it", "[cli][ranks]") {
  for (const char* overlap : {"one-shot", "store", "chunks"}) {
    const ProcessResult result =
        run_jute(command_words("plan --ranks 2 --place A=K@tp,B=K@tp --m 64 --n 256 --k 256 --type "
                               "bf16 --overlap " +
                               std::string(overlap)));
    INFO(overlap << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.find("\nshare K@tp\n") != std::string::npos);
  }
  require_refusal(run_jute(command_words("plan --ranks 2 --place A=M@tp,D=M@tp --share M@tp --m 64 "
                                         "--n 64 --k 64 --overlap one-shot")),
                  2, "a sum");
}

// `jute emulate FILE.cu` of whole programs: kernels, lines that run them.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

nlohmann::json offers_of(const std::string& file) {
  const ProcessResult result = run_jute({"emulate", file, "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  return nlohmann::json::parse(result.out);
}

}  // namespace

TEST_CASE("every program of the examples runs by the lines that are offered",
          "[cli][emulate][program][nvrtc]") {
  int launches = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/examples/programs")) {
    if (entry.path().extension() != ".cu") continue;
    INFO(entry.path());
    const nlohmann::json offers = offers_of(entry.path().string());
    int complete = 0;
    for (const auto& offer : offers["launches"]) {
      if (!offer["missing"].empty()) continue;
      INFO(offer["command"]);
      std::vector<std::string> words = command_words(offer["command"]);
      words.erase(words.begin());
      words.insert(words.end(), {"--check", "full"});
      const ProcessResult result = run_jute(words);
      INFO(result.err);
      CHECK(result.status == 0);
      CHECK(result.out == "clean\n");
      ++complete;
    }
    CHECK(complete > 0);
    launches += complete;
  }
  CHECK(launches >= 10);
}

TEST_CASE("what a line lacks is named", "[cli][emulate][program][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("k.cu"))
      << "struct Point { float x, y; };\n"
         "__global__ void scale(float* x, const int* at, Point by, int n) {}\n"
         "void run(float* x, int n, cudaStream_t s) {\n"
         "  scale<<<n / 4, 64, 0, s>>>(x, nullptr, Point{1, 2}, n);\n}\n";
  const ProcessResult text = run_jute({"emulate", folder.file("k.cu")});
  INFO(text.err);
  CHECK(text.status == 0);
  CHECK(text.out ==
        "scale(float*, int const*, Point, int), launched in line 4\n"
        "  jute emulate " +
            folder.file("k.cu") +
            " --kernel scale --grid GRID --block 64 --arg 'f32[ELEMENTS_OF_x]' --arg null "
            "--arg VALUE_OF_by --arg VALUE_OF_n\n"
            "    GRID: n/4 in the launch\n"
            "    ELEMENTS_OF_x: how many x has\n"
            "    VALUE_OF_by: Point, Point{1, 2} in the launch\n"
            "    VALUE_OF_n: int, n in the launch\n");
  const auto offer = offers_of(folder.file("k.cu"))["launches"].at(0);
  CHECK(offer["symbol"] == "_Z5scalePfPKi5Pointi");
  CHECK(offer["missing"].size() == 4);
  CHECK(offer["line"] == 4);
}

TEST_CASE("what a program asks of the chip and reads is filled in",
          "[cli][emulate][program][nvrtc]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("k.cu");
  std::ofstream(file) << "#include <iostream>\n"
                         "__global__ void scale(float* x, int n) {}\n"
                         "int main() {\n"
                         "  int n, sms;\n"
                         "  std::cin >> n;\n"
                         "  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);\n"
                         "  float* x;\n"
                         "  cudaMalloc(&x, n * sizeof(float));\n"
                         "  scale<<<sms, 64>>>(x, n);\n"
                         "}\n";
  const ProcessResult asked = run_jute({"emulate", file, "--device-preset", "t4"});
  CHECK(asked.out ==
        "scale(float*, int), launched in line 9\n"
        "  jute emulate " +
            file +
            " --kernel scale --grid 40 --block 64 --arg 'f32[ELEMENTS_OF_x]' --arg VALUE_OF_n\n"
            "    ELEMENTS_OF_x: how many x has\n"
            "    VALUE_OF_n: int, n in the launch\n"
            "n: the program reads it from standard input, in line 5\n"
            "  jute emulate " +
            file +
            " --stdin 2000\n"
            "the program asks what chip it runs on: t4 answers here, unless --device-preset names "
            "another\n");
  const ProcessResult told = run_jute({"emulate", file, "--stdin", "50"});
  CHECK(told.out.find("--grid 132 --block 64 --arg 'f32[50]' --arg 50\n") != std::string::npos);
  CHECK(told.out.find("reads") == std::string::npos);
  require_refusal(run_jute({"emulate", file, "--stdin", "50 60"}), 2,
                  "no more words than the program reads, which are 1");
  require_refusal(run_jute({"emulate", file, "--stdin", "50", "--grid", "1", "--block", "64"}), 2,
                  "--stdin");
}

TEST_CASE("the page of launch files shows a program's lines as they are printed",
          "[cli][emulate][program][docs][nvrtc]") {
  const std::string line = "emulate examples/programs/stencil.cu";
  const ProcessResult result = run_jute(command_words(line), {.folder = JUTE_SOURCE_DIR});
  const std::string page = command::read_text(JUTE_SOURCE_DIR "/docs/launch.md");
  INFO(result.out);
  CHECK(page.find("```text\n$ jute " + line + "\n" + result.out + "```") != std::string::npos);
}

TEST_CASE("a PTX file alone tells its kernels", "[cli][emulate][program]") {
  const ProcessResult result = run_jute({"emulate", JUTE_SOURCE_DIR "/examples/emulate/iota.ptx"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("iota\n  jute emulate "));
  CHECK(result.out.find("--arg VALUE_OF_argument_1") != std::string::npos);
}

TEST_CASE("a file that is not there is not found, whatever else is missing",
          "[cli][emulate][program][refusal]") {
  require_refusal(run_jute({"emulate", "missing.cu"}), 2, "file_not_found");
  require_refusal(run_jute({"emulate", "missing.ptx"}), 2, "file_not_found");
}

TEST_CASE("too few arguments are told with the kernel's C++ name",
          "[cli][emulate][program][nvrtc][refusal]") {
  const ProcessResult result = run_jute(
      {"emulate", JUTE_SOURCE_DIR "/examples/emulate/saxpy.cu", "--kernel", "saxpy", "--arg", "2"});
  require_refusal(result, 2,
                  "of the 4 parameters of example::saxpy(float, float const*, float*, int), or a "
                  "structure's fields one after the other, and 1 are given");
  CHECK(result.err.find("_ZN") == std::string::npos);
}

TEST_CASE("findings in a program name its own lines", "[cli][emulate][program][nvrtc]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("late.cu"))
      << "#include <vector>\n\nstd::vector<int> numbers;\n"
         "void host() { numbers.clear(); }\n\n"
         "__global__ void late(int* x) {\n  x[threadIdx.x] = 1;\n}\n"
         "int main() { late<<<1, 5>>>(nullptr); }\n";
  const ProcessResult result = run_jute(
      {"emulate", folder.file("late.cu"), "--kernel", "late", "--block", "5", "--arg", "i32[4]"});
  CHECK(result.status == 1);
  CHECK(result.out.find("late.cu:7") != std::string::npos);
  CHECK(result.out.find("x[threadIdx.x] = 1;") != std::string::npos);
}

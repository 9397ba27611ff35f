// `jute ptx --launch`: jute's own kernels as files that `jute emulate` runs and judges.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/json_schema.hpp"
#include "files/files.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;
using command::read_text;

namespace {

struct WrittenLaunch {
  TemporaryFolder folder;
  std::string file;
  nlohmann::json json;

  explicit WrittenLaunch(const std::string& problem) : file(folder.file("kernels/launch.json")) {
    std::vector<std::string> words = command_words("ptx " + problem + " --launch");
    words.push_back(folder.file("kernels"));
    const ProcessResult result = run_jute(words);
    INFO(result.err);
    REQUIRE(result.status == 0);
    CHECK(result.out == file + "\n");
    json = nlohmann::json::parse(read_text(file));
  }
  [[nodiscard]] ProcessResult emulate(const std::string& flags) const {
    std::vector<std::string> words = command_words(flags);
    words.insert(words.begin(), {"emulate", file});
    return run_jute(words);
  }
};

}  // namespace

TEST_CASE("a problem's kernels are written with operands and the expected D, and pass",
          "[cli][emulate]") {
  const JsonSchema schema(read_text(JUTE_SOURCE_DIR "/docs/schemas/launch.schema.json"));
  for (const char* problem :
       {"--m 48 --n 40 --k 24 --type f32",               // threads
        "--m 80 --n 72 --k 64 --type f16 --arch sm_80",  // mma.sync
        "--m 256 --n 256 --k 128 --type bf16",           // warp-specialised
        "--m 33 --n 40 --k 32 --type f16 --out-type f32 --batch 2 --order-c col"}) {
    const WrittenLaunch launch(problem);
    CHECK(schema.accepts(launch.json));
    const ProcessResult result = launch.emulate("--check full --schedule late");
    INFO(problem << "\n" << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.out == "as expected: d\nclean\n");
  }
}

TEST_CASE("a warp-specialised kernel's tensor maps are in its launch file", "[cli][emulate]") {
  const WrittenLaunch launch("--m 256 --n 256 --k 128 --type bf16");
  int maps = 0;
  for (const auto& argument : launch.json["launches"][0]["args"])
    if (argument.is_object() && argument["kind"] == "tmap") ++maps;
  CHECK(maps >= 2);
}

TEST_CASE("every step of a plan is launched, over one workspace", "[cli][emulate]") {
  // Rows of 67 halves cannot be copied in vectors: they are padded first, where that pays.
  const WrittenLaunch launch("--m 256 --n 256 --k 1027 --type bf16");
  const ProcessResult plan =
      run_jute(command_words("plan --m 256 --n 256 --k 1027 --type bf16 --json"));
  const auto steps = nlohmann::json::parse(plan.out)["steps"].size();
  CHECK(launch.json["launches"].size() == steps);
  CHECK(steps >= 2);
  CHECK(launch.json["buffers"].contains("workspace"));
  const ProcessResult result = launch.emulate("");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
}

TEST_CASE("a changed operand shows as a mismatch", "[cli][emulate]") {
  const WrittenLaunch launch("--m 48 --n 40 --k 24 --type f32");
  nlohmann::json changed = launch.json;
  changed["buffers"]["a"]["init"] = {{"random", 7}};
  changed["buffers"]["a"]["shape"] = {48 * 24};
  std::ofstream(launch.file) << changed;
  const ProcessResult result = launch.emulate("");
  CHECK(result.status == 1);
  CHECK(result.out.find("mismatch: d[") != std::string::npos);
}

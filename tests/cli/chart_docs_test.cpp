// Charts and the page of results are what the committed ratios give.
#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "files/files.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// What bench/scatter.py draws of files of bench/.
std::string scattered(const std::vector<std::string>& files) {
  const std::string bench = JUTE_SOURCE_DIR "/bench/";
  std::vector<std::string> words{"python3", bench + "scatter.py"};
  for (const std::string& file : files) words.push_back(bench + file);
  const ProcessResult result = run_process(words);
  INFO(result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

std::string kept_chart(const std::string& name) {
  return command::read_text(JUTE_SOURCE_DIR "/docs/images/" + name);
}

}  // namespace

TEST_CASE("the charts of many problems are drawn from the ratios in bench/", "[cli][bench][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const std::string both = scattered({"suite_h200.csv", "random_h200.csv"});
  CHECK(both == kept_chart("h200.svg"));
  CHECK(scattered({"random_h200.csv"}) == kept_chart("random.svg"));
  // A problem that loses has its name.
  CHECK(both.find(">792x10752x1016: 0.84<") != std::string::npos);
}

TEST_CASE("the page of results is written from the runs in bench/, losers first",
          "[cli][bench][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const ProcessResult result = run_process({"python3", JUTE_SOURCE_DIR "/bench/results_page.py"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::string page = command::read_text(JUTE_SOURCE_DIR "/bench/RESULTS.md");
  CHECK(result.out == page);
  CHECK(std::ranges::count(page, '\n') < 200);
  CHECK(page.find("792x10752x1016 | **0.840**") < page.find("f32_nn_2048x2048x2048 | 0.952"));
  // Every day's measurements are led to.
  for (const auto& file : std::filesystem::directory_iterator(JUTE_SOURCE_DIR "/bench/results")) {
    INFO(file.path());
    CHECK(page.find("(results/" + file.path().filename().string() + ")") != std::string::npos);
  }
}

// Charts and the page of results are what the committed ratios give.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/notation/convolution.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

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

TEST_CASE("kinds of products are told and drawn from what was raced, beside their floors",
          "[cli][bench][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const std::string program = JUTE_SOURCE_DIR "/bench/kinds_page.py";
  const ProcessResult page = run_process({"python3", program});
  INFO(page.err);
  REQUIRE(page.status == 0);
  CHECK(page.out == command::read_text(JUTE_SOURCE_DIR "/bench/KINDS.md"));
  const ProcessResult picture = run_process({"python3", program, "--svg"});
  INFO(picture.err);
  REQUIRE(picture.status == 0);
  CHECK(picture.out == kept_chart("kinds.svg"));
}

TEST_CASE("a seed draws problems of every kind, which all can be planned", "[cli][bench][docs]") {
  if (run_process({"python3", "--version"}).status != 0) return;  // nothing else here needs it
  const auto drawn = [](const std::string& seed) {
    const ProcessResult result = run_process(
        {"python3", JUTE_SOURCE_DIR "/bench/torch_kinds.py", "--seed", seed, "--count", "2"});
    INFO(result.err);
    REQUIRE(result.status == 0);
    return result.out;
  };
  const std::string text = drawn("1");
  CHECK(text == drawn("1"));
  CHECK(text != drawn("2"));
  const DeviceInfo chip = device_preset("h200");
  std::set<std::string> kinds;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    std::vector<std::string> cells(1);
    for (const char each : line)
      each == '\t' ? (void)cells.emplace_back() : cells.back().push_back(each);
    REQUIRE(cells.size() == 4);
    kinds.insert(cells[0]);
    Problem like;
    like.a.type = like.b.type = like.c.type = like.d.type = DType::bf16;
    if (cells[1] == "problem")
      (void)make_plan(parse_problem(cells[2]), chip, parse_config(cells[3]));
    else if (cells[1] == "conv")
      (void)make_plan(convolution(parse_convolution(cells[2]), like), chip);
    else
      CHECK(cells[1] == "contract");
  }
  CHECK(std::ssize(kinds) ==
        std::ranges::count(command::read_text(JUTE_SOURCE_DIR "/bench/floors.csv"), '\n') - 4);
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

// `jute bench` as a process, where no GPU takes part.
#include <jute/device/device.hpp>

#include <filesystem>

#include "cli/command.hpp"

using namespace jute;
using jute::test::require_refusal;
using jute::test::run_jute;

namespace {

const std::string kSuite = std::string(JUTE_SOURCE_DIR) + "/bench/cases.csv";

void require_usage(const std::vector<std::string>& arguments, const std::string& part) {
  INFO(part);
  require_refusal(run_jute(arguments), 2, part);
}

}  // namespace

TEST_CASE("a race without a GPU ends with one line that says so", "[cli][bench][refusal]") {
  if (find_driver()) return;
  const auto result = run_jute({"bench", "--m", "64", "--n", "64", "--k", "64", "--type", "bf16"});
  require_refusal(result, 3, "a race needs a GPU");
  CHECK(std::ranges::count(result.err, '\n') == 1);
  const auto json = run_jute({"bench", "--m", "64", "--n", "64", "--k", "64", "--json"});
  CHECK(json.status == 3);
  CHECK(json.err.starts_with("{\"error\":"));
}

TEST_CASE("the program that races has the words of `jute bench`, and is started by it",
          "[cli][bench]") {
  const std::string racing = std::string(JUTE_COMMAND) + "-bench";
  const auto same = [&](const std::vector<std::string>& words) {
    std::vector<std::string> named{"bench"}, own{racing};
    named.insert(named.end(), words.begin(), words.end());
    own.insert(own.end(), words.begin(), words.end());
    const auto started = run_jute(named);
    const auto itself = jute::test::run_process(own, jute::test::without_own_environment({}));
    INFO(started.out << started.err);
    CHECK(started.status == itself.status);
    CHECK(started.out == itself.out);
    CHECK(started.err == itself.err);
    return started;
  };
  CHECK(same({"--help"}).out.find("jute bench --m 4096") != std::string::npos);
  CHECK(same({"--help-all"}).status == 0);
  CHECK(same({"--m", "64", "--n", "64", "--k", "64", "--roundz", "3"}).status == 2);
  CHECK(same({"--cases", kSuite, "--m", "64"}).status == 2);
  CHECK(same({"--ranks", "2", "--m", "16", "--n", "64", "--k", "64", "--device", "emulator",
              "--place", "A=Z@tp"})
            .status == 2);
  // What stands ahead of the command's name goes along.
  CHECK(run_jute({"--json", "bench", "--cases", "none.csv"}).err.starts_with("{\"error\":"));
}

TEST_CASE("where no program races beside the command, that is said", "[cli][bench][refusal]") {
  namespace fs = std::filesystem;
  const jute::test::TemporaryFolder folder;
  const std::string alone = (fs::path(folder.path()) / "jute").string();
  fs::copy_file(JUTE_COMMAND, alone);
  const auto result = jute::test::run_process({alone, "bench", "--cases", kSuite},
                                              jute::test::without_own_environment({}));
  require_refusal(result, 2, "jute-bench");
  CHECK(jute::test::run_process({alone, "bench", "--help"}, jute::test::without_own_environment({}))
            .status == 0);
}

TEST_CASE("problems come from the flags or from a file, and something is chosen",
          "[cli][bench][tune][refusal]") {
  for (const char* command : {"bench", "tune"}) {
    INFO(command);
    require_usage({command}, "--m");
    require_usage({command, "bf16"}, "--cases");
    require_usage({command, "--family", "llm", "--m", "1"}, "--cases");
    require_usage({command, "--cases", kSuite, "--m", "64"}, "not both");
    require_usage({command, "--cases", kSuite, "--order-b", "col"}, "not both");
    require_usage({command, "--cases", kSuite, "--ldc", "64"}, "not both");
    require_usage({command, "--cases", kSuite, "no such id"}, "must choose a case of the file");
    require_usage({command, "--cases", "none.csv"}, "there must be such a file");
  }
}

TEST_CASE("a winner is kept for open choices, so that tune takes none", "[cli][tune][refusal]") {
  require_usage({"tune", "--m", "64", "--n", "64", "--k", "64", "--tile", "64x64x64"}, "--tile");
  require_usage({"tune", "--cases", kSuite, "--specialize", "shared"}, "--specialize");
}

TEST_CASE("what cannot be raced or written is refused before the race", "[cli][bench][refusal]") {
  require_usage({"bench", "--cases", kSuite, "--try", "stages=2", "--try", "tiles=1", "16x16"},
                "a choice must be one of");
  require_usage({"bench", "--m", "64", "--n", "64", "--k", "64", "--type", "bf17"}, "--type");
  require_usage({"bench", "--m", "64", "--n", "64", "--k", "64", "--mode", "warm"}, "--mode");
  require_usage({"bench", "--m", "64", "--n", "64", "--k", "64", "--mode", "cold", "--cold"},
                "--cold");
  require_usage({"bench", "--cases", kSuite, "--m-range", "64", "16x16"}, "--m-range");
  require_usage({"bench", "--m", "64", "--n", "64", "--k", "64", "--rounds", "0"}, "--rounds");
  require_refusal(
      run_jute({"bench", "--m", "64", "--n", "64", "--k", "64", "--csv", "/nowhere/results.csv"}),
      3, "/nowhere/results.csv");
  require_refusal(
      run_jute({"bench", "--m", "64", "--n", "64", "--k", "64", "--svg", "/nowhere/results.svg"}),
      3, "/nowhere");
}

TEST_CASE("a race is of what is planned for the chip that is named, and says so; tune keeps none",
          "[cli][bench][tune][chip]") {
  // Neither a GPU nor its absence lets this race begin: no device is all that is asked for.
  const std::string chip = "b200";
  const auto race =
      run_jute({"bench", "--m", "64", "--n", "64", "--k", "64", "--device-preset", chip});
  CHECK(race.status != 0);
  CHECK(race.err.starts_with("kernels are planned for b200, not for the GPU\n"));
  const auto suite = run_jute({"bench", "--cases", kSuite, "--device-preset", chip, "16x16"});
  CHECK(suite.err.starts_with("kernels are planned for b200, not for the GPU\n"));
  require_usage({"tune", "--m", "64", "--n", "64", "--k", "64", "--device-preset", chip},
                "--device-preset");
}

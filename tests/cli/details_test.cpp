// What --verbose and --quiet add and leave out.
#include <algorithm>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("JUTE_LOG says what --verbose says", "[cli][doctor]") {
  const TemporaryFolder folder;
  const std::vector<std::string> line{"ptx", "--m", "64", "--n", "64", "--k", "64"};
  std::vector<std::string> verbose = line;
  verbose.emplace_back("--verbose");
  const auto said = [&](const std::vector<std::string>& words, const std::string& log) {
    return run_jute(words, {.environment = {{"JUTE_CACHE_DIR", folder.path().string()},
                                            {"JUTE_LOG", log}}})
        .err;
  };
  CHECK(said(line, "").empty());
  // Times differ from run to run, and what is compiled once is in the cache from then on.
  for (const std::string& text : {said(verbose, ""), said(line, "info"), said(line, "debug")}) {
    INFO(text);
    CHECK(text.find("plan: jute_") != std::string::npos);
    CHECK(text.find("kernels: 1 ") != std::string::npos);
  }
}

TEST_CASE("with --verbose it is said where plans, kernels and files come from and go to",
          "[cli][usage]") {
  const TemporaryFolder folder;
  const auto said = [&](std::vector<std::string> words) {
    words.emplace_back("-v");
    const ProcessResult result = run_jute(
        words,
        {.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}, .folder = folder.path()});
    INFO(result.err);
    CHECK(result.status == 0);
    return result.err;
  };
  const std::vector<std::string> shape{"--m", "16", "--n", "16", "--k", "16"};
  const auto of_shape = [&](std::vector<std::string> words) {
    words.insert(words.end(), shape.begin(), shape.end());
    return said(words);
  };
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has(of_shape({"plan"}), "plan: jute_"));
  CHECK(has(of_shape({"source", "-o", "k.cu"}), "wrote k.cu"));
  const std::string first = of_shape({"gemm", "--random", "1", "--device", "emulator"});
  CHECK(has(first, "plan: jute_"));
  CHECK(has(first, " by NVRTC "));
  const std::string second =
      of_shape({"gemm", "--random", "1", "--device", "emulator", "-o", "d.npy"});
  CHECK(has(second, " from the cache "));
  CHECK(has(second, "wrote d.npy"));
  CHECK(has(said({"draw", "(4,8):(8,1)", "-o", "p.svg"}), "wrote p.svg"));
  CHECK(has(said({"cache", "list"}), "settings: cache on in "));
  CHECK(has(said({"doctor"}), "settings: cache on in "));
  CHECK(has(said({"eval", "upcast(Sw<3,0,3>,2)"}), "the order within it is lost"));
}

TEST_CASE("a command that has nothing more to say refuses --verbose", "[cli][usage][refusal]") {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"explain", "8:1"}, {"atom", "list"}, {"epilogue", "acc"}, {"completion", "bash"}}) {
    std::vector<std::string> verbose = words;
    verbose.emplace_back("-v");
    require_refusal(run_jute(verbose), 2, "--verbose: it must be left out");
    verbose.back() = "--help";
    CHECK(run_jute(verbose).out.find("--verbose") == std::string::npos);
  }
}

TEST_CASE("with --quiet a product leaves what was asked for", "[cli][usage]") {
  const TemporaryFolder folder;
  const std::vector<std::string> line{"gemm", "--m",      "16", "--n",      "16",       "--k",
                                      "16",   "--random", "1",  "--device", "emulator", "-q"};
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  CHECK(run_jute(line, input).out.empty());
  std::vector<std::string> judged = line;
  judged.emplace_back("--verify");
  const std::string text = run_jute(judged, input).out;
  CHECK(text.starts_with("check    ok"));
  CHECK(std::ranges::count(text, '\n') == 1);
}

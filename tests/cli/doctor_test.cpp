// `jute doctor` and `jute cache`: the machine as jute sees it.
#include <jute/base/settings.hpp>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("the doctor names every part and is content without them", "[cli][doctor]") {
  const ProcessResult result =
      run_jute({"doctor"}, {.environment = {{"JUTE_NVRTC", "/nonexistent"}}});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  for (const char* part : {"driver ", "gpu ", "nvrtc ", "cache ", "templates ", "emulator "})
    CHECK(result.out.find(part) != std::string::npos);
  CHECK(result.out.find("nvrtc     not found: ") != std::string::npos);
}

TEST_CASE("the doctor fails when something required is missing", "[cli][doctor][refusal]") {
  const ProcessResult result =
      run_jute({"doctor", "--require", "nvrtc"}, {.environment = {{"JUTE_NVRTC", "/nonexistent"}}});
  CHECK(result.status == 3);
  CHECK(result.err.starts_with("jute: no_nvrtc: "));
  CHECK(run_jute({"doctor", "--require", "templates"}).status == 0);
}

TEST_CASE("the doctor speaks JSON", "[cli][doctor]") {
  const ProcessResult result = run_jute({"doctor", "--json"});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("{\"driver\":{\"found\":"));
}

TEST_CASE("the cache is found, listed, verified and cleared", "[cli][cache]") {
  const TemporaryFolder folder;
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  CHECK(run_jute({"cache", "path"}, input).out == folder.file("kernels") + "\n");
  CHECK(run_jute({"cache", "list"}, input).out.empty());
  CHECK(run_jute({"cache", "verify"}, input).out == "0 good, 0 unusable\n");
  CHECK(run_jute({"cache", "clear"}, input).out == "0 removed\n");
  CHECK(run_jute({"cache", "verify", "--json"}, input).status == 0);
}

TEST_CASE("no place for a cache is an answer, not a crash", "[cli][cache][refusal]") {
  const ProcessResult result =
      run_jute({"cache", "path"},
               {.environment = {{"JUTE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", ""}, {"HOME", ""}}});
  require_refusal(result, 3, "JUTE_CACHE_DIR");
}

TEST_CASE("a cache that no run would use is not listed as empty", "[cli][cache][refusal]") {
  const TemporaryFolder folder;
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  CHECK(run_jute({"doctor", "--require", "cache"}, input).status == 0);
  std::filesystem::permissions(folder.path() / "kernels", std::filesystem::perms(0777));
  require_refusal(run_jute({"cache", "list"}, input), 3, "others may write to it");
  CHECK(run_jute({"cache", "list", "--json"}, input).err.starts_with("{\"error\":"));
  CHECK(run_jute({"cache", "verify"}, input).status == 1);
}

TEST_CASE("a cache that no run would use is not found", "[cli][doctor][refusal]") {
  const TemporaryFolder folder;
  const ProcessInput input{.environment = {{"JUTE_CACHE_DIR", folder.path().string()}}};
  CHECK(run_jute({"doctor", "--require", "cache"}, input).status == 0);
  std::filesystem::permissions(folder.path() / "kernels", std::filesystem::perms(0777));
  const ProcessResult open_to_all = run_jute({"doctor", "--require", "cache"}, input);
  CHECK(open_to_all.status == 3);
  CHECK(open_to_all.out.find("others may write to it") != std::string::npos);
  const ProcessInput nowhere{.environment = {{"JUTE_CACHE_DIR", "/proc/none"}}};
  CHECK(run_jute({"doctor", "--require", "cache"}, nowhere).status == 3);
}

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
  CHECK_FALSE(said(verbose, "").empty());
  CHECK(said(line, "info") == said(verbose, ""));
}

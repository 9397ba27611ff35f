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

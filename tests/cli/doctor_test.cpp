// `jute doctor` and `jute cache`: the machine as jute sees it.
#include <jute/base/settings.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "pages/manual.hpp"
#include "support/temporary_folder.hpp"

using namespace jute::test;

TEST_CASE("the doctor names every part and is content without them", "[cli][doctor]") {
  const ProcessResult result =
      run_jute({"doctor"}, {.environment = {{"JUTE_NVRTC", "/nonexistent"}}});
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  for (const char* part : {"driver ", "gpu ", "nvrtc ", "headers ", "nvdisasm ", "nccl ", "links ",
                           "cache ", "templates ", "emulator "})
    CHECK(result.out.find(part) != std::string::npos);
  CHECK(result.out.find("nvrtc     not found: ") != std::string::npos);
  CHECK(result.out.find("pip install nvidia-cuda-nvrtc") != std::string::npos);
}

TEST_CASE("the doctor says where it looked, in order, and where headers and tools lie",
          "[cli][doctor]") {
  const TemporaryFolder folder;
  const std::string program = folder.file("bin/nvdisasm");
  std::filesystem::create_directories(folder.path() / "bin");
  std::ofstream(program) << "#!/bin/sh\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const ProcessResult result = run_jute(
      {"doctor", "--json"},
      {.environment = {
           {"CUDA_HOME", folder.path().string()}, {"JUTE_NVRTC", ""}, {"VIRTUAL_ENV", "/a/venv"}}});
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["nvdisasm"]["what"] == program);
  std::vector<std::string> places = json["nvrtc"]["places"];
  CHECK(json["headers"]["places"] == json["nvrtc"]["places"]);
  CHECK(places.front() == folder.path().string());
  const auto at = [&](const std::string& place) {
    return std::ranges::find(places, place) - places.begin();
  };
  CHECK(at("/usr/local/cuda") == 1);
  CHECK(at("/a/venv") > at("/opt/cuda"));
  CHECK(at("the dynamic loader's path") == at("/a/venv") + 1);
}

TEST_CASE("the doctor says why the NCCL that is asked for does not serve", "[cli][doctor]") {
  const ProcessResult result =
      run_jute({"doctor", "--json"}, {.environment = {{"JUTE_NCCL", "/nonexistent/libnccl.so"}}});
  const auto nccl = nlohmann::json::parse(result.out)["nccl"];
  CHECK(nccl["found"] == false);
  CHECK(nccl["remedy"].get<std::string>().find("JUTE_NCCL") != std::string::npos);
  CHECK(nccl["places"].front() == "/nonexistent/libnccl.so");
}

TEST_CASE("the page of the environment names the places that the doctor names",
          "[cli][doctor][docs]") {
  const std::string page = jute::command::environment_page();
  for (const char* place :
       {"CUDA_HOME", "`/usr/local/cuda`", "`/usr/local/cuda-*`", "`/opt/cuda`", "`VIRTUAL_ENV`"})
    CHECK(page.find(place) != std::string::npos);
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

// `jute cover`, `jute cache warm` and `jute cache pack`, and a program that may not compile.
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A file of two problems.
std::string problems_in(const TemporaryFolder& folder) {
  const std::string file = folder.file("two.problems");
  std::ofstream(file) << "M=1:32 N=16 K=16 beta=0  # small\nM=8 N=24 K=16 beta=0\n";
  return file;
}

ProcessResult run_with_cache(const std::string& cache, const std::vector<std::string>& words,
                             std::vector<std::pair<std::string, std::string>> more = {}) {
  more.emplace_back("JUTE_CACHE_DIR", cache);
  return run_jute(words, {.environment = std::move(more)});
}

}  // namespace

TEST_CASE("cover prints the kernels of a file of problems", "[cli][cover]") {
  const TemporaryFolder folder;
  const ProcessResult result = run_jute({"cover", problems_in(folder)});
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("M=32 N=16 K=16"));
  CHECK(result.out.find("\nM=8 N=24 K=16") != std::string::npos);
  CHECK(result.out.ends_with("kernels, by the cost model\n"));
  CHECK(run_jute({"cover", problems_in(folder), "--json"}).out.starts_with("{\"kernels\":"));
}

TEST_CASE("a file that cannot be read says which line of it", "[cli][cover][refusal]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("wrong.problems");
  std::ofstream(file) << "M=8 N=8 K=8\nM=8 N=8 K=8 A=bf61\n";
  const ProcessResult result = run_jute({"cover", file});
  CHECK(result.status == 2);
  CHECK(result.err.find("line 2, column 15") != std::string::npos);
  CHECK(result.err.find("wrong.problems") != std::string::npos);
  CHECK(run_jute({"cover"}).status == 2);
  CHECK(run_jute({"cover", file, "--problem", "M=1 N=1 K=1"}).status == 2);
  std::ofstream(file) << "# nothing\n";
  CHECK(run_jute({"cover", file}).status == 2);
}

TEST_CASE("what was warmed and packed is served where compiling is forbidden",
          "[cli][cover][forbidden]") {
  const TemporaryFolder folder;
  const std::string built = folder.file("built"), layer = folder.file("layer");
  const std::string problems = problems_in(folder);
  const ProcessResult warm =
      run_with_cache(built, {"cache", "warm", problems, "--device", "emulator"});
  INFO(warm.out << warm.err);
  CHECK(warm.status == 0);
  CHECK(warm.out.ends_with(" compiled, 0 were there\n"));
  CHECK(run_with_cache(built, {"cache", "warm", problems, "--device", "emulator"})
            .out.find(" 0 compiled") != std::string::npos);
  const ProcessResult pack = run_with_cache(built, {"cache", "pack", "-o", layer});
  INFO(pack.out << pack.err);
  CHECK(pack.status == 0);
  std::filesystem::remove_all(built);
  const std::vector<std::pair<std::string, std::string>> serving{
      {"JUTE_CACHE_LAYERS", layer}, {"JUTE_COMPILE", "forbidden"}, {"JUTE_NVRTC", "/none"}};
  const auto gemm = [&](const char* problem) {
    return run_with_cache(
        folder.file("empty"),
        {"gemm", "--problem", problem, "--random", "1", "--device", "emulator", "--verify"},
        serving);
  };
  const ProcessResult served = gemm("M=17 N=16 K=16 beta=0 m_range=1:32");
  INFO(served.out << served.err);
  CHECK(served.status == 0);
  const ProcessResult refused = gemm("M=17 N=40 K=16 beta=0");
  INFO(refused.err);
  CHECK(refused.status == 2);
  CHECK(refused.err.find("jute cache warm FILE") != std::string::npos);
  CHECK(refused.err.find("M=17 N=40 K=16") != std::string::npos);
  // With a list of what the layer is for, all else is refused before it is planned.
  const ProcessResult listed =
      run_with_cache(layer, {"cache", "pack", "-o", layer, "--problems", problems});
  INFO(listed.out << listed.err);
  CHECK(listed.status == 0);
  CHECK(listed.out.ends_with(" for 2 problems\n"));
  CHECK(gemm("M=17 N=16 K=16 beta=0 m_range=1:32").status == 0);
  const ProcessResult at_once = gemm("M=17 N=40 K=16 beta=0");
  CHECK(at_once.status == 2);
  CHECK(at_once.err.find("2 are served") != std::string::npos);
  CHECK(run_with_cache(layer, {"cache", "pack", "-o", layer, "--problems", "/none"}).status != 0);
}

// Programs of the driver API on the stand-in: what they get, what is found, what is refused.
#include <jute/emulator/finding_line.hpp>
#include <jute/emulator/options_text.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

const std::filesystem::path kProgram =
    std::filesystem::path(JUTE_SOURCE_DIR) / "tests/stand_in/programs/driver_program.c";

/// The C program, compiled once and linked with the stand-in as any program is with a driver.
const std::string& program() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    std::string made = (folder.path() / "driver_program").string();
    const ProcessResult compiled =
        run_process({"cc", "-std=c99", "-Wall", "-Wextra", "-Werror", JUTE_C_FLAGS, "-o", made,
                     kProgram.string(), JUTE_STAND_IN_LIBRARY, "-pthread"});
    INFO(compiled.err);
    REQUIRE(compiled.status == 0);
    return made;
  }();
  return path;
}

ProcessResult run_case(const std::string& name, std::vector<std::string> options = {}) {
  std::vector<std::string> words{"run"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", program(), name});
  return run_jute(words);
}

void require_clean(const ProcessResult& result) {
  INFO("out: " << result.out << "err: " << result.err);
  REQUIRE(result.status == 0);
  REQUIRE(result.err.find("nothing found") != std::string::npos);
}

}  // namespace

TEST_CASE("a program of the driver API launches its PTX and gets the results", "[stand_in]") {
  const ProcessResult result = run_case("scale", {"--device", "a100"});
  require_clean(result);
  CHECK(result.out == "a100 (jute's emulator)\n");
}

TEST_CASE("streams, graphs, threads, memory, clusters and names are a driver's", "[stand_in]") {
  for (const char* name : {"streams", "graphs", "threads", "memory", "cluster", "names"}) {
    INFO(name);
    require_clean(run_case(name));
  }
}

TEST_CASE("wrong calls return the statuses of a driver, and say more on standard error",
          "[stand_in][refusal]") {
  const ProcessResult result = run_case("errors");
  require_clean(result);
  // Each status alone would say too little.
  CHECK(result.err.find("jute: cuLaunchKernel: 100000 bytes of dynamic shared memory must be "
                        "allowed first") != std::string::npos);
  CHECK(result.err.find("jute: cuMemAllocManaged: CUDA_ERROR_NOT_SUPPORTED") != std::string::npos);
}

TEST_CASE("a kernel that a GPU would stop breaks its context, and is found", "[stand_in]") {
  const ProcessResult result = run_case("beyond");
  INFO(result.out << result.err);
  CHECK(result.status == 1);
  CHECK(result.err.find("M1: ") != std::string::npos);
  CHECK(result.err.find("0 bytes past the end of the allocation of 400 bytes") !=
        std::string::npos);
  CHECK(result.err.find("1 found") != std::string::npos);
}

TEST_CASE("what a GPU never notices is found once, and the program goes on", "[stand_in]") {
  const ProcessResult result = run_case("unset");
  INFO(result.out << result.err);
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  const size_t first = result.err.find("M3: ");
  CHECK(first != std::string::npos);
  CHECK(result.err.find("M3: ", first + 1) == std::string::npos);
  require_clean(run_case("unset", {"--check", "none"}));
}

TEST_CASE("PTX of a newer chip is refused as a driver refuses it", "[stand_in][refusal]") {
  const ProcessResult result = run_case("cluster", {"--device", "a100"});
  CHECK(result.status == 9);
  CHECK(result.out.find("CUDA_ERROR_NO_BINARY_FOR_GPU") != std::string::npos);
  CHECK(result.err.find("PTX for sm_90 must not be loaded on sm_80") != std::string::npos);
}

TEST_CASE("the program's own exit status is kept where nothing is found", "[stand_in]") {
  CHECK(run_jute({"run", "--", "sh", "-c", "exit 7"}).status == 7);
  CHECK(run_jute({"run", "--", "sh", "-c", "kill -9 $$"}).status == 128 + 9);
  require_refusal(run_jute({"run", "--", "./no/such/program"}), 2, "it must be a program");
  require_refusal(run_jute({"run"}), 2, "it must be given behind --");
  require_refusal(run_jute({"run", "--device", "h20", "--", "true"}), 2, "nearest legal: h200");
}

TEST_CASE("jute's own kernels run on the stand-in as on a GPU", "[stand_in][nvrtc]") {
  // TMA, wgmma and a cluster on one chip; cp.async, split K and copies of operands on another.
  for (const auto& [chip, sizes] :
       {std::pair<std::string, std::vector<std::string>>{"h200", {"--m", "256", "--n", "256"}},
        {"a100", {"--m", "33", "--n", "65"}}}) {
    std::vector<std::string> words{"run",    "--device", chip,       "--",  JUTE_COMMAND,
                                   "gemm",   "--device", "cuda",     "--k", "136",
                                   "--type", "bf16",     "--random", "1",   "--verify"};
    words.insert(words.end(), sizes.begin(), sizes.end());
    const ProcessResult result = run_jute(words);
    if (result.err.find("no_nvrtc") != std::string::npos) continue;
    INFO(result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.out.find("cuda") != std::string::npos);
  }
}

TEST_CASE("a race on the stand-in runs all candidates, and what won is read by the next program",
          "[stand_in][nvrtc]") {
  const TemporaryFolder folder;
  const auto run_raced = [&](std::vector<std::string> words) {
    std::vector<std::string> all{"run",
                                 "--device",
                                 "h200",
                                 "--",
                                 "env",
                                 "JUTE_CACHE=on",
                                 "JUTE_CACHE_DIR=" + folder.file("cache"),
                                 JUTE_COMMAND};
    all.insert(all.end(), words.begin(), words.end());
    return run_jute(all);
  };
  const std::vector<std::string> product{"gemm", "--device", "cuda", "--m",     "64",
                                         "--n",  "64",       "--k",  "64",      "--type",
                                         "bf16", "--random", "1",    "--verify"};
  std::vector<std::string> with_race = product;
  with_race.insert(with_race.end(), {"--race", "2"});
  const ProcessResult raced = run_raced(with_race);
  if (raced.err.find("no_nvrtc") != std::string::npos) return;
  INFO(raced.out << raced.err);
  CHECK(raced.status == 0);
  CHECK(raced.err.find("raced: ") != std::string::npos);
  CHECK(raced.err.find("the best of 2: ") != std::string::npos);
  CHECK(raced.err.find("kept in " + folder.file("cache")) != std::string::npos);
  CHECK(raced.err.find("nothing found") != std::string::npos);
  // The cache and a bundle by the same race.
  const ProcessResult warmed =
      run_raced({"cache", "warm", "--problem", "M=64 N=64 K=64 A=bf16", "--race", "2"});
  INFO(warmed.out << warmed.err);
  CHECK(warmed.status == 0);
  CHECK(warmed.out.find("1 kernels") != std::string::npos);
  std::ofstream(folder.file("one.problems")) << "M=64 N=64 K=64 A=bf16 alpha=1 beta=0\n";
  const ProcessResult bundled =
      run_raced({"export", folder.file("one.problems"), "-o", folder.file("bundle"), "--arch",
                 "sm_90a", "--later", "none", "--race", "2"});
  INFO(bundled.out << bundled.err);
  CHECK(bundled.status == 0);
  CHECK(bundled.err.find("the best of 2: ") != std::string::npos);
  require_refusal(run_raced({"export", folder.file("one.problems"), "-o", folder.file("bundle"),
                             "--arch", "sm_80", "--later", "none", "--race", "2"}),
                  2, "--arch sm_90a");
}

TEST_CASE("every function that the device layer binds is there, and what is lacking by name",
          "[stand_in]") {
  void* const library = dlopen(JUTE_STAND_IN_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  std::ifstream table(JUTE_SOURCE_DIR "/src/driver/driver.hpp");
  int bound = 0;
  for (std::string line; std::getline(table, line);) {
    const size_t begin = line.find("\"cu") + 1;
    if (begin == 0) continue;
    const std::string name = line.substr(begin, line.find('"', begin) - begin);
    INFO(name);
    CHECK(dlsym(library, name.c_str()) != nullptr);
    ++bound;
  }
  CHECK(bound >= 37);
  std::ifstream refused(JUTE_SOURCE_DIR "/tools/stand_in/refused.txt");
  std::vector<std::string> names;
  for (std::string name; std::getline(refused, name);) {
    INFO(name);
    CHECK(dlsym(library, name.c_str()) != nullptr);
    names.push_back(name);
  }
  CHECK(std::ranges::is_sorted(names));
  CHECK(dlsym(library, "_ZN4jute8stand_in7Process8instanceEv") == nullptr);
}

TEST_CASE("a finding on its way to another process keeps all that it says", "[stand_in]") {
  Finding finding;
  finding.code = "R1";
  finding.message = "two\naccesses\tof one \\ byte";
  finding.count = 3;
  finding.parties.resize(2);
  finding.parties[0].kernel = "k";
  finding.parties[0].block[1] = 9;
  finding.parties[0].ptx_line = 7;
  finding.parties[0].text = "st.global [%rd1], 1;";
  finding.parties[1].source = "a b.cu:3";
  const std::string line = to_line(finding);
  CHECK(line.find('\n') == std::string::npos);
  CHECK(parse_finding(line) == finding);
  for (const char* wrong : {"", "R1", "R1\tx\tmessage", "R1\t1\tm\tkernel\t0\t0"})
    CHECK(refusal_of([&] { (void)parse_finding(wrong); }).code == ErrorCode::bad_file);
}

TEST_CASE("the emulator's options are read from words", "[stand_in]") {
  const EmulatorOptions options =
      parse_emulator_options("device=a100 check=full  schedule=random:7 max-memory=4096");
  CHECK(options.device.name == "a100");
  CHECK(options.check == Check::full);
  CHECK(options.schedule == Schedule::random);
  CHECK(options.seed == 7);
  CHECK(options.memory_bytes == 4096);
  CHECK(refusal_of([] { (void)parse_emulator_options("chek=full"); }).nearest_legal == "check");
  CHECK(refusal_of([] { (void)parse_emulator_options("check=ful"); }).nearest_legal == "full");
  CHECK(refusal_of([] { (void)parse_emulator_options("schedule=random:x"); }).nearest_legal ==
        "random:0");
  CHECK(refusal_of([] { (void)parse_emulator_options("check"); }).code == ErrorCode::syntax);
}

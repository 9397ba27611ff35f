// Programs of the runtime API, as nvcc -cudart shared links them, on the stand-in.
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// The C program, compiled once.
const std::string& runtime_program() {
  static const TemporaryFolder folder;
  static const std::string path = [] {
    std::string made = (folder.path() / "runtime_program").string();
    const std::string source = JUTE_SOURCE_DIR "/tests/stand_in/programs/runtime_program.c";
    const ProcessResult compiled =
        run_process({"cc", "-std=c99", "-Wall", "-Wextra", "-Werror", JUTE_C_FLAGS, "-o", made,
                     source, JUTE_STAND_IN_RUNTIME, JUTE_STAND_IN_LIBRARY});
    INFO(compiled.err);
    REQUIRE(compiled.status == 0);
    return made;
  }();
  return path;
}

ProcessResult run_runtime_case(const std::string& name) {
  return run_jute({"run", "--device", "a100", "--", runtime_program(), name});
}

}  // namespace

TEST_CASE("a program of the runtime API registers its code, launches it and gets the results",
          "[stand_in][runtime]") {
  for (const char* name : {"scale", "lz4", "streams", "graphs", "device"}) {
    const ProcessResult result = run_runtime_case(name);
    INFO(name << result.out << result.err);
    CHECK(result.status == 0);
    CHECK(result.err.find("nothing found") != std::string::npos);
  }
  CHECK(run_runtime_case("device").out == "a100 (jute's emulator)\n");
}

TEST_CASE("code that is packed by zstd is read where its library is", "[stand_in][runtime]") {
  const ProcessResult result = run_runtime_case("zstd");
  INFO(result.out << result.err);
  if (dlopen("libzstd.so.1", RTLD_NOW) != nullptr)
    CHECK(result.status == 0);
  else
    CHECK(result.err.find("--compress-mode=none") != std::string::npos);
}

TEST_CASE("wrong calls of the runtime return its errors, and what is lacking says its name",
          "[stand_in][runtime][refusal]") {
  const ProcessResult result = run_runtime_case("errors");
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.err.find("jute: cudaMallocManaged: cudaErrorNotSupported") != std::string::npos);
  const ProcessResult machine_code = run_runtime_case("machine_code");
  INFO(machine_code.out << machine_code.err);
  CHECK(machine_code.status == 0);
  CHECK(machine_code.err.find("it has no PTX, which alone is executed") != std::string::npos);
}

TEST_CASE("what a kernel of a runtime program does wrong is found", "[stand_in][runtime]") {
  const ProcessResult result = run_runtime_case("beyond");
  INFO(result.out << result.err);
  CHECK(result.status == 1);
  CHECK(result.out.empty());
  CHECK(result.err.find("0 bytes past the end of the allocation of 400 bytes") !=
        std::string::npos);
}

TEST_CASE("a runtime inside a program is told how it is served", "[stand_in][runtime][refusal]") {
  void* const library = dlopen(JUTE_STAND_IN_LIBRARY, RTLD_LAZY | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  const auto ask =
      reinterpret_cast<int (*)(const void**, const void*)>(dlsym(library, "cuGetExportTable"));
  REQUIRE(ask != nullptr);
  const void* table = nullptr;
  CHECK(ask(&table, nullptr) == 801);
}

TEST_CASE("every function of the runtime is there, once", "[stand_in][runtime]") {
  void* const library = dlopen(JUTE_STAND_IN_RUNTIME, RTLD_LAZY | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  std::ifstream refused(JUTE_SOURCE_DIR "/tools/stand_in/runtime/refused.txt");
  std::vector<std::string> names;
  for (std::string name; std::getline(refused, name); names.push_back(name)) {
    INFO(name);
    CHECK(dlsym(library, name.c_str()) != nullptr);
  }
  CHECK(std::ranges::is_sorted(names));
  CHECK(names.size() > 300);
}

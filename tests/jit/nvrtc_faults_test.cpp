#include <jute/jit/compile.hpp>

#include <algorithm>
#include <random>
#include <tuple>

#include "fake_nvrtc.hpp"
#include "jit/compile_log.hpp"
#include "jit/compiler_impl.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

constexpr const char* kFunctions[] = {
    "nvrtcGetErrorString",    "nvrtcVersion",       "nvrtcGetNumSupportedArchs",
    "nvrtcGetSupportedArchs", "nvrtcCreateProgram", "nvrtcDestroyProgram",
    "nvrtcCompileProgram",    "nvrtcGetPTXSize",    "nvrtcGetPTX",
    "nvrtcGetCUBINSize",      "nvrtcGetCUBIN",      "nvrtcGetProgramLogSize",
    "nvrtcGetProgramLog"};

/// A compiler over the fake library; any file of this machine's kind stands for it.
Compiler fake_compiler(base::LibraryLoader loader = test::fake_loader()) {
  jit::NvrtcPlaces places;
  places.library = "/proc/self/exe";
  return Compiler(std::make_shared<Compiler::Impl>(places, std::move(loader)));
}

Source small_source() {
  return {.symbol = "k", .text = "extern \"C\" __global__ void k() {}\n", .arch = {90, 'a'}};
}

}  // namespace

TEST_CASE("a library that lacks a function is refused by the function's name",
          "[jit][nvrtc][refusal]") {
  for (const char* name : kFunctions) {
    const Compiler compiler = fake_compiler(test::fake_loader(name));
    const Error error =
        test::refusal_of([&] { return compiler.compile(small_source(), Output::ptx); });
    CHECK(error.code == ErrorCode::no_nvrtc);
    CHECK(error.violated_rules.at(0).ends_with(std::string("lacks ") + name));
  }
}

TEST_CASE("a library that does not open is refused with the loader's reason, each time",
          "[jit][nvrtc][refusal]") {
  base::LibraryLoader loader = test::fake_loader();
  loader.open = [](const std::string&) -> void* { return nullptr; };
  const Compiler compiler = fake_compiler(loader);
  for (int i = 0; i < 2; ++i) {
    const Error error =
        test::refusal_of([&] { return compiler.compile(small_source(), Output::ptx); });
    CHECK(error.code == ErrorCode::no_nvrtc);
    CHECK(error.violated_rules.at(0) == "the library must open: the loader's reason");
  }
}

TEST_CASE("every failing call is named with its status, and nothing leaks",
          "[jit][nvrtc][refusal]") {
  for (const char* name : kFunctions) {
    const std::string call = name;
    if (call == "nvrtcGetErrorString" || call == "nvrtcVersion" || call == "nvrtcDestroyProgram")
      continue;
    for (const bool has_name : {true, false}) {
      test::fake_nvrtc() = {};
      test::fake_nvrtc().status[call] = 11;
      test::fake_nvrtc().has_error_string = has_name;
      const Compiler compiler = fake_compiler();
      const Error error =
          test::refusal_of([&] { return compiler.compile(small_source(), Output::ptx_and_cubin); });
      CHECK(error.code == ErrorCode::compile_failed);
      CHECK(error.operand == call);
      CHECK(error.value == (has_name ? "NVRTC_ERROR_OTHER" : "NVRTC status 11"));
      CHECK(test::fake_nvrtc().created == test::fake_nvrtc().destroyed);
    }
  }
}

TEST_CASE("running out of memory has its own code", "[jit][nvrtc][refusal]") {
  test::fake_nvrtc() = {};
  test::fake_nvrtc().status["nvrtcGetPTX"] = jit::kNvrtcOutOfMemory;
  const Error error =
      test::refusal_of([&] { return fake_compiler().compile(small_source(), Output::ptx); });
  CHECK(error.code == ErrorCode::out_of_memory);
}

TEST_CASE("a log of any bytes is carried, never trusted", "[jit][nvrtc][law]") {
  std::mt19937 random(5);
  const std::string parts[] = {"/jute/k.cu(",
                               "1)",
                               ": error",
                               "99999999999999",
                               "\n",
                               "ptx input, line ",
                               "ptxas info : Compiling entry function 'k'",
                               " bytes stack frame",
                               " registers",
                               " bytes smem",
                               "-5",
                               ";",
                               "\0"};
  for (const int status : {0, static_cast<int>(jit::kNvrtcCompilation)})
    for (int i = 0; i < 2000; ++i) {
      test::fake_nvrtc() = {};
      test::fake_nvrtc().status["nvrtcCompileProgram"] = status;
      const size_t count = random() % 30;
      for (size_t part = 0; part < count; ++part)
        test::fake_nvrtc().log += random() % 4 == 0
                                      ? std::string(1, static_cast<char>(random() % 256))
                                      : parts[random() % std::size(parts)];
      const Compiler compiler = fake_compiler();
      if (status == 0) {
        CHECK(compiler.compile(small_source(), Output::ptx_and_cubin).cubin.size() == 12);
      } else {
        const Error error = test::refusal_of(
            [&] { return compiler.compile(small_source(), Output::ptx_and_cubin); });
        CHECK(error.code == ErrorCode::compile_failed);
      }
    }
}

TEST_CASE("without machine readable PTX the version is what the library says", "[jit][nvrtc]") {
  test::fake_nvrtc() = {};
  CHECK(fake_compiler().version() == "13.7");
  test::fake_nvrtc().ptx = "// Cuda compilation tools, release 13.7, V13.7.12\n";
  CHECK(fake_compiler().version() == "13.7.12");
}

TEST_CASE("a library that keeps what it compiled is told not to", "[jit][nvrtc]") {
  for (const auto& [major, minor, keeps] :
       {std::tuple{12, 8, false}, {12, 9, true}, {13, 0, true}}) {
    test::fake_nvrtc() = {};
    test::fake_nvrtc().major = major;
    test::fake_nvrtc().minor = minor;
    (void)fake_compiler().compile(small_source(), Output::ptx_and_cubin);
    CHECK(std::ranges::count(test::fake_nvrtc().options, "--no-cache") == (keeps ? 1 : 0));
  }
}

TEST_CASE("resources come from the kernel's own section of the report", "[jit][log]") {
  const std::string log = R"(ptxas info    : 0 bytes gmem
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to non wgmma instructions in the function 'other'
ptxas info    : Compiling entry function 'other' for 'sm_90a'
ptxas info    : Function properties for other
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 99 registers, used 1 barriers
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for helper
    64 bytes stack frame, 2 bytes spill stores, 3 bytes spill loads
ptxas info    : Function properties for k
    16 bytes stack frame, 10 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 40 registers, used 2 barriers, 1024 bytes smem, 400 bytes cmem[0]
ptxas info    : Compile time = 3.0 ms
)";
  const auto resources = jit::find_resources(log, "k");
  REQUIRE(resources.has_value());
  CHECK(*resources == Resources{40, 16, 12, 23, 1024, false});
  CHECK(jit::find_resources(log, "other") == Resources{99, 8, 4, 4, 0, true});
  CHECK_FALSE(jit::find_resources(log, "absent").has_value());
  CHECK(jit::stable_log(log).find("Compile time") == std::string::npos);
}

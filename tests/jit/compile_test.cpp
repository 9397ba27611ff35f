#include <jute/jit/compile.hpp>

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

constexpr const char* kScale = R"(extern "C" __global__ void scale(float* x, float factor, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) x[i] = factor * tile[threadIdx.x] + 1.0f;
}
)";

Source scale_source(Arch arch) {
  return {.symbol = "scale",
          .text = kScale,
          .arch = arch,
          .signature = parse_signature("(pointer x, f32 factor, i32 n)"),
          .threads_per_block = 128};
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a kernel compiles to PTX and machine code for every architecture", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  for (const char* arch : {"sm_75", "sm_80", "sm_90a", "sm_120"}) {
    const Source source = scale_source(parse_arch(arch));
    const Binary binary = compiler.compile(source, Output::ptx_and_cubin);
    CHECK(binary.symbol == "scale");
    CHECK(binary.arch == source.arch);
    CHECK(binary.signature == source.signature);
    CHECK(binary.source_text == source.text);
    CHECK(contains(binary.ptx, ".entry scale("));
    CHECK(contains(binary.ptx, std::string(".target ") + arch));
    CHECK(binary.ptx.find('\0') == std::string::npos);
    CHECK(contains(binary.ptx, ".file\t1 \"/jute/scale.cu\""));
    CHECK(binary.cubin.size() > 1000);
    REQUIRE(binary.resources.has_value());
    CHECK(binary.resources->registers > 4);
    CHECK(binary.resources->static_smem_bytes == 512);
    CHECK(binary.resources->spill_store_bytes == 0);
    CHECK(contains(binary.log, "ptxas info"));
  }
}

TEST_CASE("PTX is the same with and without machine code", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  for (const char* arch : {"sm_75", "sm_80", "sm_90a", "sm_120"}) {
    const Source source = scale_source(parse_arch(arch));
    const Binary ptx = compiler.compile(source, Output::ptx);
    CHECK(ptx.ptx == compiler.compile(source, Output::ptx_and_cubin).ptx);
    CHECK(ptx.cubin.empty());
    CHECK_FALSE(ptx.resources.has_value());
  }
}

TEST_CASE("the same source compiles to the same bytes and log, in any folder", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  const Source source = scale_source({90, 'a'});
  const Binary here = compiler.compile(source, Output::ptx_and_cubin);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::temp_directory_path());
  const Binary there = compiler.compile(source, Output::ptx_and_cubin);
  std::filesystem::current_path(before);
  CHECK(here == there);
}

TEST_CASE("multiplication and addition are not contracted", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  const Binary binary = compiler.compile(scale_source({80}), Output::ptx);
  CHECK(contains(binary.ptx, "mul.rn.f32") != contains(binary.ptx, "mul.f32"));
  CHECK_FALSE(contains(binary.ptx, "fma"));
}

TEST_CASE("a syntax error is refused with its line marked in the numbered source",
          "[jit][compile][refusal]") {
  const Compiler compiler = test::test_compiler();
  Source source = scale_source({90, 'a'});
  source.text.replace(source.text.find("factor *"), 6, "fcator");
  const Error error =
      test::refusal_of([&] { return compiler.compile(source, Output::ptx_and_cubin); });
  CHECK(error.code == ErrorCode::compile_failed);
  CHECK(error.operand == "nvrtcCompileProgram");
  CHECK(error.value == "NVRTC_ERROR_COMPILATION");
  REQUIRE(error.position.has_value());
  CHECK(error.position->line == 6);
  CHECK(contains(error.violated_rules.at(0), "fcator"));
  CHECK(contains(error.detail, ">    6 |   if (i < n) x[i] = fcator *"));
  CHECK(contains(error.detail, "     5 |   __syncthreads();"));
  CHECK(contains(error.detail, "^ error: identifier \"fcator\" is undefined"));
}

TEST_CASE("an assembler error is refused with the line of the PTX", "[jit][compile][refusal]") {
  const Compiler compiler = test::test_compiler();
  Source source = scale_source({90, 'a'});
  source.text = "extern \"C\" __global__ void scale() {\n  asm volatile(\"wrong.u32;\");\n}\n";
  const Error error =
      test::refusal_of([&] { return compiler.compile(source, Output::ptx_and_cubin); });
  CHECK(error.code == ErrorCode::compile_failed);
  CHECK(contains(error.detail, "PTX:\n"));
  CHECK(contains(error.detail, "| \twrong.u32;"));
}

TEST_CASE("warnings stay in the log", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  Source source = scale_source({80});
  source.text.insert(source.text.find("int i"), "int idle = 3; ");
  const Binary binary = compiler.compile(source, Output::ptx);
  CHECK(contains(binary.log, "scale.cu(3)"));
  CHECK(contains(binary.log, "idle"));
}

TEST_CASE("spills are counted", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  Source source{.symbol = "spill", .arch = {90, 'a'}};
  source.text = R"(extern "C" __global__ void __launch_bounds__(1024, 2) spill(float* x) {
  float v[96];
#pragma unroll
  for (int i = 0; i < 96; ++i) v[i] = x[i * 1024 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 96; ++i) x[i * 1024 + threadIdx.x] = v[i] * v[(i * 7 + 5) % 96];
}
)";
  const Binary binary = compiler.compile(source, Output::ptx_and_cubin);
  REQUIRE(binary.resources.has_value());
  CHECK(binary.resources->registers <= 32);
  CHECK(binary.resources->spill_store_bytes > 0);
  CHECK(binary.resources->spill_load_bytes > 0);
  CHECK(binary.resources->stack_bytes > 0);
}

TEST_CASE("what NVRTC cannot serve is refused before it compiles", "[jit][compile][refusal]") {
  const Compiler compiler = test::test_compiler();
  Source source = scale_source({60});
  const Error arch = test::refusal_of([&] { return compiler.compile(source, Output::ptx); });
  CHECK(arch.code == ErrorCode::unsupported);
  CHECK(arch.operand == "arch");
  CHECK(arch.nearest_legal.has_value());
  source = scale_source({80});
  source.text += '\0';
  CHECK(test::refusal_of([&] { return compiler.compile(source, Output::ptx); }).code ==
        ErrorCode::compile_failed);
  source = scale_source({80});
  source.symbol = "scal";
  const Error symbol = test::refusal_of([&] { return compiler.compile(source, Output::ptx); });
  CHECK(symbol.code == ErrorCode::compile_failed);
  CHECK(symbol.operand == "scal");
  source = scale_source({80, 'a'});
  CHECK(test::refusal_of([&] { return compiler.compile(source, Output::ptx); }).code ==
        ErrorCode::compile_failed);
}

TEST_CASE("many threads compile at once with one compiler", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  const Binary expected = compiler.compile(scale_source({80}), Output::ptx_and_cubin);
  std::atomic<int> equal = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i)
        equal += compiler.compile(scale_source({80}), Output::ptx_and_cubin) == expected ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(equal == 12);
}

TEST_CASE("a compiler knows its version and build", "[jit][compile]") {
  const Compiler compiler = test::test_compiler();
  CHECK(compiler.build().size() >= 8);
  const std::string version = compiler.version();
  CHECK(std::count(version.begin(), version.end(), '.') >= 1);
  CHECK(version.find_first_not_of("0123456789.") == std::string::npos);
  CHECK(contains(compiler.path(), "libnvrtc"));
}

namespace {

volatile std::sig_atomic_t interrupted = 0;
void note_interrupt(int /*signal*/, siginfo_t* /*info*/, void* /*context*/) { interrupted = 1; }

/// A host's handler, for as long as this lives.
class Handler {
 public:
  Handler() {
    struct sigaction action {};
    action.sa_sigaction = note_interrupt;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGUSR1);
    ::sigaction(SIGINT, &action, &before_);
  }
  ~Handler() { ::sigaction(SIGINT, &before_, nullptr); }
  Handler(const Handler&) = delete;
  Handler& operator=(const Handler&) = delete;

 private:
  struct sigaction before_ {};
};

}  // namespace

TEST_CASE("a host's handler of interrupts is what it was after a compilation, and is called",
          "[jit][compile]") {
  const Handler handler;
  const Compiler compiler = test::test_compiler();
  const pthread_t here = ::pthread_self();
  std::atomic<bool> done = false;
  interrupted = 0;
  std::thread sender([&] {
    // All the while; once at least, however late this thread begins.
    do {
      ::pthread_kill(here, SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!done);
  });
  const Binary binary = compiler.compile(scale_source({80}), Output::ptx);
  done = true;
  sender.join();
  CHECK(contains(binary.ptx, ".entry scale"));
  CHECK(interrupted == 1);
  struct sigaction after {};
  ::sigaction(SIGINT, nullptr, &after);
  CHECK(after.sa_sigaction == note_interrupt);
  CHECK((after.sa_flags & SA_SIGINFO) != 0);
  CHECK((after.sa_flags & SA_RESTART) != 0);
  CHECK(sigismember(&after.sa_mask, SIGUSR1) == 1);
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  CHECK(sigismember(&mask, SIGINT) == 0);
}

namespace {

std::atomic<int> received = 0;
void count_signal(int /*signal*/) { ++received; }

/// A host's handlers of both signals, for as long as this lives.
class CountingHandlers {
 public:
  CountingHandlers() {
    received = 0;
    struct sigaction action {};
    action.sa_handler = count_signal;
    for (size_t i = 0; i < before_.size(); ++i) ::sigaction(kSignals[i], &action, &before_[i]);
  }
  ~CountingHandlers() {
    for (size_t i = 0; i < before_.size(); ++i) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  CountingHandlers(const CountingHandlers&) = delete;
  CountingHandlers& operator=(const CountingHandlers&) = delete;

  static constexpr std::array<int, 2> kSignals{SIGINT, SIGTERM};

 private:
  std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace

// NVRTC's own handler would end this process. Signals go to the process, of which the kernel gives
// them to whichever thread takes them: one that compiles or another.
TEST_CASE("signals of a process go to the host's handlers while its threads compile",
          "[jit][compile]") {
  const CountingHandlers handlers;
  const Compiler compiler = test::test_compiler();
  std::atomic<int> compiling = 2, compiled = 0;
  const auto compile = [&] {
    for (int i = 0; i < 2; ++i)
      compiled +=
          contains(compiler.compile(scale_source({80}), Output::ptx_and_cubin).ptx, ".entry scale");
    --compiling;
  };
  std::thread first(compile), second(compile);
  int sent = 0;
  // All the while; once at least, however late this thread begins.
  do {
    ::kill(::getpid(), CountingHandlers::kSignals[static_cast<size_t>(sent++ % 2)]);
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    CHECK(received > 0);  // and not when all is compiled
  } while (compiling > 0);
  first.join();
  second.join();
  CHECK(compiled == 4);
  CHECK(received <= sent);
  for (const int signal : CountingHandlers::kSignals) {
    struct sigaction after {};
    ::sigaction(signal, nullptr, &after);
    CHECK(after.sa_handler == count_signal);
    CHECK((after.sa_flags & SA_RESTART) == 0);
  }
}

// Preparing: once for each kernel, whoever asks and however often. Running: checks, packs,
// launches.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

using namespace jute;
using namespace jute::test;

namespace {

thread_local int allocations = 0;

struct RecordedContext {
  explicit RecordedContext(const ContextOptions& options = without_disk_cache())
      : RecordedContext(std::make_unique<RecordingBackend>(), options) {}
  RecordingBackend& backend;
  Context context;

 private:
  RecordedContext(std::unique_ptr<RecordingBackend> owned, const ContextOptions& options)
      : backend(*owned), context(std::move(owned), options) {}
};

Problem small_problem(Index m = 40) {
  Problem problem;
  problem.m = m;
  problem.n = 24;
  problem.k = 16;
  return problem;
}

/// A kernel that suits every M.
Config one_for_all() {
  Config config;
  config.main_loop = MainLoop::register_staged;
  return config;
}

GemmArgs some_args() {
  GemmArgs args;
  args.a = args.b = args.d = 0x10000;
  return args;
}

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
// Not inlined: g++ takes what it sees then for a mismatched pair.
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return ::operator new(bytes);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("a second prepare of a problem is a look-up", "[gemm][prepare]") {
  RecordedContext recorded;
  const Gemm first = prepare(recorded.context, small_problem());
  CHECK(recorded.context.compile_count() == 1);
  CHECK(first.times().compile.count() > 0);
  const Gemm again = prepare(recorded.context, small_problem());
  CHECK(&again.plan() == &first.plan());
  CHECK(again.times().plan.count() + again.times().compile.count() == 0);
  CHECK(recorded.context.compile_count() == 1);
  CHECK(recorded.backend.loads == 1);
}

TEST_CASE("a thousand values of M take one compilation", "[gemm][prepare]") {
  RecordedContext recorded;
  for (Index m = 1; m <= 1000; ++m)
    CHECK(prepare(recorded.context, small_problem(m), one_for_all()).plan().problem.m == m);
  CHECK(recorded.context.compile_count() == 1);
  const Gemm gemm = prepare(recorded.context, small_problem(1), one_for_all());
  GemmArgs args = some_args();
  for (Index m = 1; m <= 1000; ++m) {
    args.m = m;
    gemm.run(args);
  }
  CHECK(recorded.backend.launches == 1000);
}

TEST_CASE("threads that prepare one problem at a time share one compilation", "[gemm][prepare]") {
  RecordedContext recorded;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back(
        [&, i] { (void)prepare(recorded.context, small_problem(40 + i % 2), one_for_all()); });
  for (std::thread& thread : threads) thread.join();
  CHECK(recorded.context.compile_count() == 1);
  CHECK(recorded.backend.loads == 1);
}

TEST_CASE("a run allocates nothing", "[gemm][run]") {
  RecordedContext recorded;
  const Gemm gemm = prepare(recorded.context, small_problem());
  GemmArgs args = some_args();
  gemm.run(args);
  args.m = 17;
  args.lda = 20;
  const int before = allocations;
  gemm.run(args);
  args.m.reset();
  gemm.run(args);
  CHECK(allocations == before);
}

TEST_CASE("an empty result launches nothing, an empty sum does", "[gemm][run]") {
  RecordedContext recorded;
  Config config;
  config.specialize = Specialize::none;
  for (const auto extent : {&Problem::m, &Problem::n, &Problem::batch}) {
    Problem problem = small_problem();
    problem.*extent = 0;
    prepare(recorded.context, problem, config).run({});
  }
  CHECK(recorded.backend.launches == 0);
  Problem no_sum = small_problem();
  no_sum.k = 0;
  GemmArgs args;
  args.d = 0x10000;
  prepare(recorded.context, no_sum, config).run(args);
  CHECK(recorded.backend.launches == 1);
}

TEST_CASE("a launch has the grid of the run's extents and the run's stream", "[gemm][run]") {
  RecordedContext recorded;
  const Gemm gemm = prepare(recorded.context, small_problem());
  const auto& step = std::get<GemmStep>(gemm.plan().steps[0]);
  GemmArgs args = some_args();
  args.m = 10 * step.tile.m + 1;
  args.stream.handle = 77;
  gemm.run(args);
  const auto blocks = [&](int axis) {
    return step.grid[static_cast<std::size_t>(axis)].evaluate(RunValues{.m = *args.m, .n = 24});
  };
  CHECK(recorded.backend.last_grid == Dim3{blocks(0), blocks(1), blocks(2)});
  CHECK(blocks(0) * blocks(1) > 10);
  CHECK(recorded.backend.last_block.x == step.threads);
  CHECK(recorded.backend.last_stream.handle == 77);
}

TEST_CASE("generated text is the same each time and in every Context", "[gemm][prepare]") {
  RecordedContext first, second;
  const Gemm gemm = prepare(first.context, small_problem());
  CHECK(generate(gemm.plan()) == generate(gemm.plan()));
  CHECK(prepare(second.context, small_problem()).sources() == gemm.sources());
}

TEST_CASE("sources and binaries are kept where JUTE_DUMP_DIR says", "[gemm][prepare]") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("jute_dump_test_" + std::to_string(::getpid()));
  ContextOptions options = without_disk_cache();
  options.settings.dump_dir = (folder / "deeper").string();
  RecordedContext recorded(options);
  const Gemm gemm = prepare(recorded.context, small_problem());
  const std::string& symbol = gemm.sources()[0].symbol;
  std::ifstream source(folder / "deeper" / (symbol + ".cu"));
  CHECK(std::string(std::istreambuf_iterator<char>(source), {}) == gemm.sources()[0].text);
  CHECK(std::filesystem::file_size(folder / "deeper" / (symbol + ".ptx")) > 0);
  // A link that somebody laid there leads nowhere, and no part of a file is left.
  const std::filesystem::path link = folder / "deeper" / (symbol + ".cu");
  std::filesystem::remove(link);
  std::filesystem::create_symlink(folder / "elsewhere", link);
  RecordedContext again(options);
  (void)prepare(again.context, small_problem());
  CHECK(!std::filesystem::exists(folder / "elsewhere"));
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(link)));
  for (const auto& file : std::filesystem::directory_iterator(folder / "deeper"))
    CHECK(file.path().extension() != ".part");
  std::filesystem::remove_all(folder);
  options.settings.dump_dir = "/proc/none";
  RecordedContext elsewhere(options);
  const Error error = refusal_of([&] { return prepare(elsewhere.context, small_problem()); });
  CHECK(error.code == ErrorCode::unwritable);
  CHECK(error.operand == "JUTE_DUMP_DIR");
}

TEST_CASE("a device is opened by name, and by itself where there is one", "[gemm][context]") {
  CHECK(parse_device_choice("auto") == DeviceChoice::automatic);
  CHECK(parse_device_choice("emulator") == DeviceChoice::emulator);
  const Error error = refusal_of([] { return parse_device_choice("cude"); });
  CHECK(error.code == ErrorCode::unknown_name);
  CHECK(error.nearest_legal == "cuda");
  const bool has_gpu = find_driver() && !find_driver()->devices.empty();
  CHECK(Context(without_disk_cache()).backend().name() == (has_gpu ? "cuda" : "emulator"));
  ContextOptions options = without_disk_cache();
  options.settings.device = "emulator";
  options.settings.arch = "sm_80";
  CHECK(Context(options).backend().device_info().arch == Arch{80});
  options.device = DeviceChoice::cuda;
  if (!has_gpu) CHECK(refusal_of([&] { return Context(options); }).code == ErrorCode::no_gpu);
}

TEST_CASE("a context without a back end is refused", "[gemm][context][refusal]") {
  const Error error =
      refusal_of([] { return Context(std::unique_ptr<Backend>(), without_disk_cache()); });
  CHECK(error.code == ErrorCode::wrong_type);
  CHECK(error.operand == "backend");
}

TEST_CASE("what a context compiled outlives it in its kernels", "[gemm][prepare]") {
  std::optional<Gemm> gemm;
  {
    Context context(open_emulator(), without_disk_cache());
    gemm = prepare(context, small_problem(0));
  }
  gemm->run({});
  CHECK(gemm->sources().size() == gemm->plan().steps.size());
}

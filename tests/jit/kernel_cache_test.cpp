#include <jute/jit/cache.hpp>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support/cache_crash.hpp"
#include "support/catch.hpp"
#include "support/compiler.hpp"
#include "support/fake_kernels.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;

namespace {

constexpr Output kBoth = Output::ptx_and_cubin;

struct Fixture {
  test::TemporaryFolder folder;
  std::shared_ptr<test::CompileCounter> counter = std::make_shared<test::CompileCounter>();

  [[nodiscard]] KernelCache open(KernelCacheOptions options = {}) const {
    options.directory = folder.file("cache");
    return {options, test::fake_compiler(counter)};
  }
};

}  // namespace

TEST_CASE("a thousand lookups compile once", "[jit][cache]") {
  const Fixture fixture;
  const KernelCache cache = fixture.open();
  const Source source = test::numbered_source(1);
  for (int i = 0; i < 1000; ++i)
    REQUIRE(cache.get(source, kBoth) == test::numbered_binary(source, kBoth));
  CHECK(fixture.counter->compiles == 1);
  CHECK(cache.counts() == CacheCounts{.memory_hits = 999, .disk_hits = 0, .compiles = 1});
}

TEST_CASE("a new process finds what an earlier one compiled", "[jit][cache]") {
  const Fixture fixture;
  const Source source = test::numbered_source(1);
  (void)fixture.open().get(source, kBoth);
  const KernelCache cache = fixture.open();
  CHECK(cache.get(source, kBoth) == test::numbered_binary(source, kBoth));
  CHECK(cache.counts() == CacheCounts{.memory_hits = 0, .disk_hits = 1, .compiles = 0});
  CHECK(cache.get(source, Output::ptx) == test::numbered_binary(source, Output::ptx));
  CHECK(fixture.counter->compiles == 2);
}

TEST_CASE("another build of the compiler compiles anew", "[jit][cache]") {
  const Fixture fixture;
  const Source source = test::numbered_source(1);
  (void)fixture.open().get(source, kBoth);
  const KernelCache other({.directory = fixture.folder.file("cache")},
                          test::fake_compiler(fixture.counter, "build-2"));
  (void)other.get(source, kBoth);
  CHECK(fixture.counter->compiles == 2);
}

TEST_CASE("many threads that want few kernels compile each once", "[jit][cache]") {
  const Fixture fixture;
  const KernelCache cache = fixture.open();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 64; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const Source source = test::numbered_source((i * 7 + t) % 10);
        if (cache.get(source, kBoth) != test::numbered_binary(source, kBoth)) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(fixture.counter->compiles == 10);
  const CacheCounts counts = cache.counts();
  CHECK(counts.memory_hits + counts.disk_hits + counts.compiles == 64 * 20);
}

TEST_CASE("several caches on one folder compile each kernel once together", "[jit][cache]") {
  const Fixture fixture;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      const KernelCache cache = fixture.open();
      for (int i = 0; i < 10; ++i) (void)cache.get(test::numbered_source(i), kBoth);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(fixture.counter->compiles == 10);
}

TEST_CASE("a kernel that does not compile is tried again", "[jit][cache][refusal]") {
  const Fixture fixture;
  int attempts = 0;
  const KernelCache cache({.directory = fixture.folder.file("cache")},
                          {.build = [] { return std::string("build"); },
                           .compile =
                               [&](const Source& source, Output output) {
                                 if (++attempts == 1)
                                   throw Exception({.code = ErrorCode::compile_failed});
                                 return test::numbered_binary(source, output);
                               }});
  const Source source = test::numbered_source(1);
  CHECK(test::refusal_of([&] { return cache.get(source, kBoth); }).code ==
        ErrorCode::compile_failed);
  CHECK(cache.get(source, kBoth) == test::numbered_binary(source, kBoth));
  CHECK(cache.counts().compiles == 1);
}

TEST_CASE("without a folder, or with a bad one, kernels are kept in memory", "[jit][cache]") {
  const auto counter = std::make_shared<test::CompileCounter>();
  for (const char* directory : {"", "/proc/none"}) {
    const KernelCache cache({.directory = directory}, test::fake_compiler(counter));
    for (int i = 0; i < 3; ++i) (void)cache.get(test::numbered_source(1), kBoth);
  }
  CHECK(counter->compiles == 2);
}

TEST_CASE("the memory limit forgets what was used least recently", "[jit][cache]") {
  const auto counter = std::make_shared<test::CompileCounter>();
  const Binary one = test::numbered_binary(test::numbered_source(0), kBoth);
  const auto size = static_cast<Index>(one.ptx.size() + one.cubin.size() + one.log.size() +
                                       one.source_text.size());
  const KernelCache cache({.memory_limit_bytes = 2 * size + 100}, test::fake_compiler(counter));
  for (const int number : {0, 1, 0, 2, 0}) (void)cache.get(test::numbered_source(number), kBoth);
  CHECK(counter->compiles == 3);
  (void)cache.get(test::numbered_source(1), kBoth);
  CHECK(counter->compiles == 4);
  const KernelCache none({.memory_limit_bytes = 0}, test::fake_compiler(counter));
  for (int i = 0; i < 2; ++i)
    CHECK(none.get(test::numbered_source(1), kBoth) ==
          test::numbered_binary(test::numbered_source(1), kBoth));
  CHECK(counter->compiles == 6);
}

TEST_CASE("a pack serves without being written", "[jit][cache]") {
  const Fixture fixture;
  const Source source = test::numbered_source(1);
  (void)fixture.open().get(source, kBoth);
  const KernelCache cache({.directory = fixture.folder.file("other"),
                           .packs = {fixture.folder.file("none"), fixture.folder.file("cache")}},
                          test::fake_compiler(fixture.counter));
  CHECK(cache.get(source, kBoth) == test::numbered_binary(source, kBoth));
  (void)cache.get(test::numbered_source(2), kBoth);
  CHECK(fixture.counter->compiles == 2);
  CHECK(DiskCache(fixture.folder.file("cache")).list().size() == 1);
  CHECK(DiskCache(fixture.folder.file("other")).list().size() == 1);
}

TEST_CASE("settings choose the folder and the mode", "[jit][cache]") {
  CHECK(cache_options({.cache_dir = "/c"}).directory == "/c");
  CHECK(cache_options({.cache_dir = "/c"}).access == CacheAccess::read_write);
  CHECK(cache_options({.cache_dir = "/c", .cache = "off"}).directory.empty());
  CHECK(cache_options({.cache_dir = "/c", .cache = "readonly"}).access == CacheAccess::read_only);
}

TEST_CASE("killed processes leave no wrong and no half kernel", "[jit][cache][crash]") {
  for (unsigned seed = 1; seed <= 5; ++seed) test::run_crash_round({.seed = seed});
}

TEST_CASE("a real kernel comes back from disk without loading NVRTC", "[jit][cache]") {
  const test::TemporaryFolder folder;
  Settings settings = settings_from_environment();
  if (settings.virtual_env.empty()) settings.virtual_env = JUTE_SOURCE_DIR "/.venv";
  settings.cache_dir = folder.file("cache");
  settings.cache = "on";
  const Source source{.symbol = "k",
                      .text = "extern \"C\" __global__ void k(int* a) { a[threadIdx.x] = 1; }\n",
                      .arch = {90, 'a'},
                      .signature = parse_signature("(pointer a)")};
  const Binary first = KernelCache(settings).get(source, kBoth);
  const KernelCache cache(settings);
  CHECK(cache.get(source, kBoth) == first);
  CHECK(cache.counts().disk_hits == 1);
}

TEST_CASE("a layer keeps a list of what it is for", "[jit][cache]") {
  const Fixture fixture;
  const DiskCache layer(fixture.folder.file("layer"));
  CHECK(layer.served() == std::nullopt);
  const std::vector<std::string> lines{"M=1 N=2 K=3", "", "M=4 N=5 K=6"};
  layer.list_served(lines);
  CHECK(layer.served() == lines);
  layer.list_served({});
  CHECK(layer.served() == std::vector<std::string>());
  CHECK(layer.list().empty());
  CHECK(layer.clear() == 0);
  CHECK(layer.served() == std::nullopt);
  std::ofstream(fixture.folder.file("file")) << "no folder";
  const Error error =
      test::refusal_of([&] { DiskCache(fixture.folder.file("file")).list_served(lines); });
  CHECK(error.code == ErrorCode::unwritable);
}

TEST_CASE("where compiling is forbidden kernels come from layers in order, or are refused",
          "[jit][cache][forbidden]") {
  const Fixture fixture;
  const Source known = test::numbered_source(1), other = test::numbered_source(2),
               unknown = test::numbered_source(3);
  const auto filled = [&](const char* name, const Source& source, const char* build) {
    const std::string folder = fixture.folder.file(name);
    (void)KernelCache({.directory = folder}, test::fake_compiler(fixture.counter, build))
        .get(source, kBoth);
    return folder;
  };
  const std::vector<std::string> layers{filled("one", known, "build-1"),
                                        filled("two", other, "build-2")};
  // No NVRTC is installed: what is asked of it fails.
  const KernelCompiler none{
      .build = []() -> std::string { throw Exception({.code = ErrorCode::no_nvrtc}); },
      .compile = [](const Source&, Output) -> Binary {
        throw Exception({.code = ErrorCode::no_nvrtc});
      }};
  const KernelCache cache({.packs = layers, .compiling = Compiling::forbidden}, none);
  CHECK(cache.get(known, kBoth) == test::numbered_binary(known, kBoth));
  CHECK(cache.get(other, kBoth) == test::numbered_binary(other, kBoth));
  const Error error = test::refusal_of([&] { return cache.get(unknown, kBoth); });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.value == unknown.symbol);
  CHECK(cache.counts() == CacheCounts{.memory_hits = 0, .disk_hits = 2, .compiles = 0});
}

TEST_CASE("a cache that was moved elsewhere serves as before", "[jit][cache][promise]") {
  const Fixture fixture;
  const Source source = test::numbered_source(1);
  (void)fixture.open().get(source, kBoth);
  const std::string elsewhere = fixture.folder.file("another/place");
  std::filesystem::create_directories(fixture.folder.file("another"));
  std::filesystem::rename(fixture.folder.file("cache"), elsewhere);
  const KernelCache moved({.directory = elsewhere}, test::fake_compiler(fixture.counter));
  CHECK(moved.get(source, kBoth) == test::numbered_binary(source, kBoth));
  CHECK(fixture.counter->compiles == 1);
}

TEST_CASE("a packed layer has every good entry, and is read without a lock or a change",
          "[jit][cache]") {
  namespace fs = std::filesystem;
  const Fixture fixture;
  const KernelCache cache = fixture.open();
  for (int i = 0; i < 5; ++i) (void)cache.get(test::numbered_source(i), kBoth);
  const DiskCache layer(fixture.folder.file("layer"));
  CHECK(DiskCache(fixture.folder.file("cache")).copy_to(layer) == 5);
  CHECK(layer.list().size() == 5);
  CHECK(layer.compiler_builds() == std::vector<std::string>{"build-1"});
  // A folder of a network: nothing is written there, and no lock is taken.
  const fs::path folder = layer.path();
  fs::permissions(folder, fs::perms::owner_read | fs::perms::owner_exec);
  const auto names = [&] {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder))
      found.push_back(entry.path().filename().string());
    return found;
  };
  const auto before = names();
  const KernelCache reader({.packs = {fixture.folder.file("layer")}},
                           test::fake_compiler(fixture.counter));
  CHECK(reader.get(test::numbered_source(3), kBoth) ==
        test::numbered_binary(test::numbered_source(3), kBoth));
  CHECK(reader.counts().disk_hits == 1);
  CHECK(names() == before);
  fs::permissions(folder, fs::perms::owner_all);
}

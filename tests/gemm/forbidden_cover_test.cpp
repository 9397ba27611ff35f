// A process that may not compile, with a layer of a cover's kernels: all members run, others are
// refused before anything else is looked for.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/prepare_many.hpp>
#include <jute/gemm/served.hpp>
#include <jute/jit/disk_cache.hpp>

#include <algorithm>
#include <random>

#include "support/catch.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kCovered =
    "M=1:40 N=24,64 K=16:48:16 A=bf16 B=bf16:col D=bf16 beta=0\n"
    "M=1:40 N=40 K=32,36 A=f32 B=f32 D=f32 beta=0 epilogue=\"relu(acc)\"\n"
    "M=24 N=20 K=12 A=f16:view[((8,3),12):((36,500),3)] B=f16 D=f16\n";
constexpr int kMembers = 300;

ContextOptions serving_options(const std::string& layer, const std::string& nothing) {
  ContextOptions options;
  options.settings.tuned = "off";
  options.settings.cache = "on";
  options.settings.cache_dir = nothing;
  options.settings.cache_layers = {layer};
  options.settings.compile = "forbidden";
  options.settings.nvrtc = nothing;
  return options;
}

/// Compiles a cover's kernels, and copies them into a layer.
void pack(const TemporaryFolder& folder, const std::vector<Problem>& problems) {
  ContextOptions options;
  options.settings.tuned = "off";
  options.settings.cache = "on";
  options.settings.cache_dir = folder.file("built");
  Context building(open_emulator(), options);
  const Cover covered = cover(problems, building.backend().device_info());
  for (const Prepared& one : prepare(building, covered)) {
    INFO((one.error ? to_string(*one.error) : ""));
    REQUIRE(one.gemm.has_value());
  }
  (void)DiskCache(folder.file("built")).copy_to(DiskCache(folder.file("layer")));
}

}  // namespace

TEST_CASE("300 members of a cover run from a packed layer, and compile nothing",
          "[gemm][cover][forbidden][nvrtc]") {
  const TemporaryFolder folder;
  const std::vector<Problem> problems = parse_problems(kCovered);
  REQUIRE(problems.size() == 9);
  pack(folder, problems);
  std::mt19937 random(3);
  int compiled = 0;
  std::vector<std::string> wrong;
  // Processes come and go: what one has in memory the next one reads from the layer again.
  for (int process = 0; process < 6; ++process) {
    Context serving(open_emulator(), serving_options(folder.file("layer"), folder.file("none")));
    for (int i = 0; i < kMembers / 6; ++i) {
      GemmCase member;
      member.problem = problems[random() % problems.size()];
      if (const auto range = member.problem.m_range)
        member.problem.m = range->first + static_cast<Index>(random()) % range->last;
      member.seed = random();
      const CaseOutcome outcome = run_case(serving, member, make_data(member));
      if (!outcome.failures.empty()) wrong.push_back(describe(member, outcome));
    }
    compiled += static_cast<int>(serving.compile_count());
  }
  CHECK(wrong == std::vector<std::string>{});
  CHECK(compiled == 0);
}

TEST_CASE("one outside of a cover is refused by its line", "[gemm][cover][forbidden][nvrtc]") {
  const TemporaryFolder folder;
  const std::vector<Problem> problems = parse_problems("M=1:16 N=16 K=16 beta=0");
  pack(folder, problems);
  Context serving(open_emulator(), serving_options(folder.file("layer"), folder.file("none")));
  (void)prepare(serving, problems[0]);
  for (const Index n : {17, 18, 19, 20, 21, 22, 23, 24}) {
    Problem outside = problems[0];
    outside.n = n;
    const Error error = refusal_of([&] { return prepare(serving, outside); });
    CHECK(error.code == ErrorCode::unsupported);
    REQUIRE(error.violated_rules.size() == 2);
    CHECK(error.violated_rules[1].ends_with("line in the file: " + to_string(outside)));
  }
  CHECK(serving.compile_count() == 0);
}

TEST_CASE("what a layer's list lacks is refused by its line and the nearest",
          "[gemm][cover][forbidden][nvrtc]") {
  const TemporaryFolder folder;
  std::vector<Problem> problems =
      parse_problems("M=1:16 N=16 K=16 beta=0\nM=4 N=8 K=32 A=bf16 beta=0");
  pack(folder, problems);
  const DiskCache layer(folder.file("layer"));
  for (Index n = 100; n < 400; ++n) {
    problems.push_back(problems[0]);
    problems.back().n = n;
  }
  list_served(layer, problems);
  CHECK(layer.served().value().size() == problems.size());
  Context serving(open_emulator(), serving_options(folder.file("layer"), folder.file("none")));
  for (const Index k : {17, 18, 19, 20, 21}) {
    Problem outside = problems[0];
    outside.k = k;
    const Error error = refusal_of([&] { return prepare(serving, outside); });
    CHECK(error.code == ErrorCode::unsupported);
    CHECK(error.operand == "compile");
    REQUIRE(error.violated_rules.size() == 2);
    CHECK(error.violated_rules[0].find("302 are served") != std::string::npos);
    CHECK(error.violated_rules[1].ends_with("line in the file: " + to_string(outside)));
    CHECK(error.nearest_legal == served_line(problems[0]));
  }
  // Members are served as before, whatever their M; choices of the caller's are planned.
  Problem member = problems[0];
  member.m = 7;
  CHECK_NOTHROW(prepare(serving, member));
  CHECK_NOTHROW(prepare(serving, problems[1]));
  const Config config = parse_config("tile=16x16x16");
  CHECK(refusal_of([&] { return prepare(serving, member, config); }).value != served_line(member));
  // What is listed and has no kernels is refused by its kernel.
  CHECK(refusal_of([&] { return prepare(serving, problems[5]); }).value.starts_with("jute_"));
}

TEST_CASE("a list says nothing where a layer has none, or the cache has kernels of its own",
          "[gemm][cover][forbidden][nvrtc]") {
  const TemporaryFolder folder;
  const std::vector<Problem> problems = parse_problems("M=1:16 N=16 K=16 beta=0");
  pack(folder, problems);
  list_served(DiskCache(folder.file("layer")), {});
  ContextOptions options = serving_options(folder.file("layer"), folder.file("none"));
  Context refusing(open_emulator(), options);
  CHECK(refusal_of([&] { return prepare(refusing, problems[0]); }).value ==
        served_line(problems[0]));
  options.settings.cache_layers.push_back(folder.file("built"));
  Context two(open_emulator(), options);
  CHECK_NOTHROW(prepare(two, problems[0]));
  options.settings.cache_layers.pop_back();
  options.settings.cache_dir = folder.file("built");
  Context own(open_emulator(), options);
  CHECK_NOTHROW(prepare(own, problems[0]));
  options.settings.compile = "allowed";
  options.settings.nvrtc.clear();
  Context compiling(open_emulator(), options);
  CHECK_NOTHROW(prepare(compiling, problems[0]));
}

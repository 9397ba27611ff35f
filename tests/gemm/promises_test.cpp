// What docs/promises.md says of numbers and of compiling.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/choose/batch_invariant.hpp>
#include <jute/plan/derive/sum_order.hpp>

#include <algorithm>
#include <map>
#include <random>

#include "support/catch.hpp"
#include "support/refusal.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kProblem = "M=200 N=72 K=328 A=bf16 B=bf16:col D=f32 beta=0";

std::vector<std::byte> normal(DType type, Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> draw;
  std::vector<double> values(static_cast<size_t>(count));
  for (double& value : values) value = draw(random);
  return encode(type, values);
}

/// D of rows of A that are drawn one after the other: fewer rows are the first of more.
std::vector<float> run(Context& context, const Problem& problem, const Config& config,
                       unsigned seed_of_a = 1) {
  Backend& backend = context.backend();
  const Gemm gemm = prepare(context, problem, config);
  const auto on_device = [&](const std::vector<std::byte>& bytes) {
    Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const Buffer a = on_device(normal(problem.a.type, problem.m * problem.k, seed_of_a));
  const Buffer b = on_device(normal(problem.b.type, problem.k * problem.n, 2));
  std::vector<float> d(static_cast<size_t>(problem.m * problem.n));
  const Buffer on = on_device(std::vector<std::byte>(d.size() * sizeof(float)));
  const Buffer workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run(
      {.a = a.pointer(), .b = b.pointer(), .d = on.pointer(), .workspace = workspace.pointer()});
  backend.synchronize();
  backend.copy_out(std::as_writable_bytes(std::span(d)), on.pointer());
  return d;
}

Context emulated(const EmulatorOptions& options = {}) {
  ContextOptions chosen;
  chosen.settings.tuned = "off";
  return Context(open_emulator(options), chosen);
}

}  // namespace

TEST_CASE("the same operands give the same bits under every schedule", "[gemm][promise]") {
  const Problem problem = parse_problem(kProblem);
  for (const char* const choices : {"", "main_loop=warp_specialised split_k=2", "k_starts=2"}) {
    INFO(choices);
    std::vector<float> first;
    for (const auto& [schedule, seed] :
         {std::pair{Schedule::fixed, 0}, std::pair{Schedule::random, 7},
          std::pair{Schedule::random, 8}, std::pair{Schedule::late, 0}}) {
      EmulatorOptions options;
      options.schedule = schedule;
      options.seed = static_cast<std::uint64_t>(seed);
      Context context = emulated(options);
      const std::vector<float> d = run(context, problem, parse_config(choices));
      if (first.empty()) first = d;
      CHECK(d == first);
    }
  }
}

TEST_CASE("kernels that sum in one order agree bit by bit", "[gemm][promise]") {
  const Problem problem = parse_problem(kProblem);
  Context context = emulated();
  std::map<std::string, std::vector<float>> by_order;
  int agreeing = 0;
  for (const char* const choices :
       {"main_loop=warp_specialised split_k=1 k_starts=1",
        "main_loop=warp_specialised split_k=1 k_starts=1 tile=64x64x64",
        "main_loop=warp_specialised split_k=1 k_starts=1 tile=128x32x128",
        "main_loop=warp_specialised split_k=1 k_starts=1 cluster=2x1",
        "main_loop=warp_specialised split_k=2 k_starts=1 tile=64x64x64", "main_loop=multistage",
        "main_loop=multistage tile=64x64x32"}) {
    INFO(choices);
    const Config config = parse_config(choices);
    const std::string order =
        sum_order(make_plan(problem, context.backend().device_info(), config));
    INFO(order);
    const std::vector<float> d = run(context, problem, config);
    const auto known = by_order.find(order);
    if (known == by_order.end()) {
      by_order.emplace(order, d);
    } else {
      CHECK(d == known->second);
      ++agreeing;
    }
  }
  CHECK(agreeing >= 3);
  CHECK(by_order.size() >= 2);
}

TEST_CASE("a batch-invariant row is the same whatever rows stand beside it", "[gemm][promise]") {
  for (const char* const text : {kProblem, "M=200 N=40 K=96 D=f32 beta=0"}) {
    Context context = emulated();
    Problem problem = parse_problem(text);
    const Config config = batch_invariant(problem, context.backend().device_info()).config;
    const std::vector<float> all = run(context, problem, config);
    for (const Index m : {1, 2, 7, 16, 65, 130}) {
      INFO(text << ", M=" << m);
      problem.m = m;
      const std::vector<float> some = run(context, problem, config);
      CHECK(std::equal(some.begin(), some.end(), all.begin()));
    }
  }
}

TEST_CASE("what would have to be compiled is refused with the line to warm",
          "[gemm][promise][forbidden]") {
  const TemporaryFolder folder;
  const Problem known = parse_problem("M=1:32 N=16 K=16 beta=0");
  ContextOptions options;
  options.settings.cache = "on";
  options.settings.tuned = "off";
  options.settings.cache_dir = folder.file("built");
  {
    Context building(open_emulator(), options);
    (void)prepare(building, known);
  }
  // What serves has the layer alone, and no NVRTC.
  options.settings.cache = "off";
  options.settings.cache_layers = {folder.file("built")};
  options.settings.compile = "forbidden";
  options.settings.nvrtc = folder.file("none");
  Context serving(open_emulator(), options);
  CHECK_NOTHROW(prepare(serving, known));
  CHECK(serving.compile_count() == 0);
  const Problem unknown = parse_problem("M=1:32 N=24 K=16 beta=0");
  const Error error = refusal_of([&] { return prepare(serving, unknown); });
  CHECK(error.code == ErrorCode::unsupported);
  REQUIRE(error.violated_rules.size() == 2);
  CHECK(error.violated_rules[1].ends_with("line in the file: " + to_string(unknown)));
}

// Kernels that many problems share: one is compiled, and right for problem after problem.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/gemm_case.hpp"
#include "support/orders.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

struct Sizes {
  Index m, n, k, batch;
  std::string config = {};
};

GemmCase case_of(const Sizes& sizes, Order a, Order b, double beta, std::uint64_t seed) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = sizes.m;
  problem.n = sizes.n;
  problem.k = sizes.k;
  problem.batch = sizes.batch;
  problem.a = {.type = DType::bf16, .order = a};
  problem.b = {.type = DType::bf16, .order = b};
  problem.c = problem.d = {.type = DType::bf16};
  result.alpha = 1.5;
  result.beta = beta;
  result.seed = seed;
  result.config = parse_config("specialize=generic " + sizes.config);
  return result;
}

/// A Context that counts what it compiles, whatever ran before.
Context compiling_context(Schedule schedule, std::uint64_t seed) {
  return context_of(schedule, seed, without_disk_cache());
}

/// The failures of all of them, each prepared anew in one Context that compiles once.
std::string failures_with_one_kernel(Context context, const std::vector<Sizes>& family, Order a,
                                     Order b) {
  std::string failures;
  for (std::size_t i = 0; i < family.size(); ++i) {
    const GemmCase one = case_of(family[i], a, b, i % 2 == 0 ? 0.5 : 1, 11 + i);
    failures += describe(one, run_case(context, one, make_data(one)));
    if (!check(make_plan(one.problem, context.backend().device_info(), one.config)).empty())
      failures += "not legal\n";
  }
  if (context.compile_count() != 1)
    failures += std::to_string(context.compile_count()) + " kernels were compiled\n";
  return failures;
}

}  // namespace

TEST_CASE("one generic kernel of producer and consumers serves whole and sliced problems",
          "[gemm][shared]") {
  // Slices of K and none, more than there are k-tiles, blocks that walk and do not, edges in every
  // tile, K shorter than a stage, several matrices.
  const std::vector<Sizes> family{{72, 136, 1000, 1, "tile=64x64x64 split_k=5"},
                                  {192, 200, 264, 1, "tile=64x64x64"},
                                  {200, 136, 520, 2, "tile=64x64x64 split_k=3 blocks=3"},
                                  {64, 64, 40, 1, "tile=64x64x64 split_k=2"},
                                  {136, 72, 200, 3, "tile=64x64x64 blocks=4"}};
  CHECK(failures_with_one_kernel(compiling_context(Schedule::late, 0), family, kCol, kRow) == "");
  CHECK(failures_with_one_kernel(compiling_context(Schedule::random, 5), family, kCol, kRow) == "");
}

TEST_CASE("a generic kernel adds however many slices a launch has", "[gemm][shared]") {
  // Of a thread's two parts of sums eight slices are on their way at once: fewer, as many, one
  // more, and the rest of three such rounds.
  std::vector<Sizes> family;
  for (const char* split_k : {"2", "8", "9", "17"})
    family.push_back({60, 16, 1304, 1, std::string("tile=64x16x64 split_k=") + split_k});
  CHECK(failures_with_one_kernel(compiling_context(Schedule::late, 0), family, kRow, kCol) == "");
  CHECK(failures_with_one_kernel(compiling_context(Schedule::random, 7), family, kRow, kCol) == "");
}

TEST_CASE("one shared straight kernel serves all small problems of a class", "[gemm][shared]") {
  const char* const tile = "main_loop=straight tile=16x8x512 atom_layout=(1,1,8)";
  const std::vector<Sizes> family{
      {33, 40, 90, 1, tile}, {17, 61, 62, 2, tile}, {1, 1, 2, 1, tile}, {90, 25, 1026, 1, tile}};
  CHECK(failures_with_one_kernel(compiling_context(Schedule::early, 0), family, kRow, kCol) == "");
  CHECK(failures_with_one_kernel(compiling_context(Schedule::random, 3), family, kCol, kRow) == "");
}

TEST_CASE("a generic kernel takes other sizes from run to run, of the multiples it rests on",
          "[gemm][shared][run]") {
  Context context = context_of(Schedule::fixed);
  const GemmCase one = case_of({70, 136, 3000, 1, "split_k=3"}, kRow, kCol, 0.5, 1);
  const Gemm gemm = prepare(context, one.problem, one.config);
  REQUIRE(gemm_step(gemm.plan()).schedule.split_k > 1);
  GemmArgs args;
  args.n = 100;
  const Error error = refusal_of([&] { gemm.run(args); });
  CHECK(error.operand == "n");
  CHECK(error.violated_rules[0].find("multiple of 8") != std::string::npos);
  CHECK(error.nearest_legal == "104");
}

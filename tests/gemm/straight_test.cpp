// Kernels whose fragments come straight from global memory: right for every type, order and base,
// and silent under every check of the emulator, in whatever order warps run.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"
#include "support/straight_cases.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/line_chunks.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

using namespace jute;
using namespace jute::test;

namespace {

/// A context for each chip, under one schedule.
class Contexts {
 public:
  explicit Contexts(Schedule schedule) : schedule_(schedule) {}
  Context& of(std::string_view preset) {
    auto& context = contexts_[preset];
    if (!context) {
      EmulatorOptions options;
      options.device = device_preset(preset);
      options.check = Check::full;
      options.schedule = schedule_;
      options.seed = 3;
      context.emplace(open_emulator(options), with_kept_kernels());
    }
    return *context;
  }

 private:
  Schedule schedule_;
  std::map<std::string_view, std::optional<Context>> contexts_;
};

std::string failures_under(Schedule schedule, Fill fill) {
  Contexts contexts(schedule);
  std::string failures;
  std::size_t index = 0;
  for (const StraightRow& row : all_straight()) {
    if (!is_run(index++)) continue;
    GemmCase one = case_of(row, 17);
    const bool has_special = !is_integer(row.types.a);
    one.fill = has_special ? fill : Fill::integers;
    const Plan plan = make_plan(one.problem, device_preset(row.preset), one.config);
    if (gemm_step(plan).schedule.main_loop != MainLoop::straight || plan.steps.size() != 1)
      failures += std::string(row.config) + ": not straight\n";
    if (std::min(row.m, row.n) <= 4 && row.k > 1 && gemm_step(plan).schedule.lanes_of_k == 0 &&
        !operand_of_line_ends(gemm_step(plan)))
      failures += std::string(row.config) + ": no dot products\n";
    if (!check(plan).empty()) failures += std::string(row.config) + ": not legal\n";
    const CaseOutcome outcome = run_case(contexts.of(row.preset), one, make_data(one));
    if (!outcome.failures.empty())
      failures += std::string(row.config) + ": " + describe(one, outcome) + "\n";
  }
  return failures;
}

MainLoop main_loop_of(const Problem& problem, const char* preset) {
  return gemm_step(make_plan(problem, device_preset(preset))).schedule.main_loop;
}

Problem bf16_problem(Index m, Index n, Index k, Order a = Order::row, Order b = Order::col) {
  return problem_of(m, n, k, {DType::bf16, DType::bf16}, {a, b});
}

}  // namespace

TEST_CASE("straight kernels of all kinds are right in whatever order warps run",
          "[gemm][straight]") {
  CHECK(failures_under(Schedule::fixed, Fill::integers) == "");
  CHECK(failures_under(Schedule::late, Fill::special) == "");
  CHECK(failures_under(Schedule::random, Fill::normal) == "");
}

TEST_CASE("lines of whole chunks are of tensor cores and of threads, of every type",
          "[gemm][straight]") {
  for (const StraightRow& row : kStraightLines) {
    INFO(row.config);
    const GemmCase one = case_of(row, 17);
    CHECK(operand_of_line_ends(
        gemm_step(make_plan(one.problem, device_preset(row.preset), one.config))));
  }
}

TEST_CASE("infinity stays what it is where chunks of lines reach out of the matrix",
          "[gemm][straight]") {
  // bf16, all ones but the first and the last of A.
  const auto set = [](std::vector<std::byte>& buffer, std::size_t element, unsigned bits) {
    buffer[2 * element] = std::byte(bits & 0xff);
    buffer[2 * element + 1] = std::byte(bits >> 8);
  };
  Contexts contexts(Schedule::fixed);
  for (const StraightRow& row : kStraightLines) {
    if (row.types.a != DType::bf16 || row.types.d != DType::bf16 || row.m > row.n) continue;
    INFO(row.config);
    StraightRow one_row = row;
    one_row.m = one_row.batch = 1;
    one_row.a = one_row.b = one_row.c = Order::row;
    one_row.beta = 0;
    one_row.padding = 0;
    const GemmCase one = case_of(one_row, 5);
    CaseData data = make_data(one);
    const auto k = static_cast<std::size_t>(row.k), n = static_cast<std::size_t>(row.n);
    for (std::size_t i = 0; i < k; ++i) set(data.a, i, i == 0 || i + 1 == k ? 0x7f80 : 0x3f80);
    for (std::size_t i = 0; i < k * n; ++i) set(data.b, i, 0x3f80);
    const CaseOutcome outcome = run_case(contexts.of(row.preset), one, data);
    int others = 0;
    for (std::size_t i = 0; i < n; ++i)
      others += outcome.d.at(2 * i) != std::byte{0x80} || outcome.d[2 * i + 1] != std::byte{0x7f};
    CHECK(others == 0);
  }
}

TEST_CASE("a large operand along N is read in whole chunks, wherever its rows begin",
          "[gemm][straight][plan]") {
  const auto operand = [](Index m, Index n, Index k, DType type = DType::bf16, int align = 16) {
    Problem problem = problem_of(
        m, n, k, {type, type}, {m > n ? Order::col : Order::row, m > n ? Order::col : Order::row});
    problem.a.alignment_bytes = problem.b.alignment_bytes = align;
    return operand_of_line_ends(gemm_step(make_plan(problem, device_preset("h200"))));
  };
  for (const Index rows : {1, 2, 4, 8}) {
    INFO(rows);
    CHECK(operand(rows, 50257, 4096) == Operand::b);
    CHECK(operand(50257, rows, 4096) == Operand::a);
  }
  CHECK(operand(8, 50258, 4096) == Operand::b);
  CHECK(operand(1, 50257, 768, DType::f16) == Operand::b);
  CHECK(operand(1, 50257, 1000, DType::f32) == Operand::b);
  CHECK(operand(8, 50256, 4096, DType::bf16, 2) == Operand::b);
  CHECK_FALSE(operand(8, 50256, 4096));    // TMA reads it
  CHECK_FALSE(operand(512, 50257, 4096));  // a copy is worth it
  CHECK_FALSE(operand(8, 128, 9000));      // few blocks would be at work
}

TEST_CASE(
    "tiny problems, and small ones whose rows begin anywhere, need no copy and no shared tile",
    "[gemm][straight][plan]") {
  for (const char* preset : {"h200", "a100", "t4", "rtx5090"}) {
    INFO(preset);
    const DType type = std::string_view(preset) == "t4" ? DType::f16 : DType::bf16;
    for (const auto& [m, n, k] : {std::tuple(16, 16, 16), std::tuple(33, 77, 95),
                                  std::tuple(100, 100, 100), std::tuple(1, 50, 64)}) {
      INFO(m << "x" << n << "x" << k);
      const Problem problem = problem_of(m, n, k, {type, type});
      CHECK(main_loop_of(problem, preset) == MainLoop::straight);
      CHECK(make_plan(problem, device_preset(preset)).steps.size() == 1);
    }
  }
}

TEST_CASE("what takes longer goes through shared memory", "[gemm][straight][plan]") {
  CHECK(main_loop_of(bf16_problem(256, 256, 256), "h200") == MainLoop::warp_specialised);
  CHECK(main_loop_of(bf16_problem(1024, 1024, 1024), "h200") == MainLoop::warp_specialised);
  CHECK(main_loop_of(bf16_problem(1023, 1025, 1021), "h200") == MainLoop::warp_specialised);
  CHECK(main_loop_of(bf16_problem(16, 4096, 4096), "h200") == MainLoop::warp_specialised);
  CHECK(main_loop_of(bf16_problem(1024, 1024, 1024), "a100") == MainLoop::multistage);
  Problem batched = bf16_problem(64, 64, 64);
  batched.batch = 1024;
  CHECK(main_loop_of(batched, "h200") == MainLoop::warp_specialised);
}

TEST_CASE("a straight main loop refuses what it does not have, by rule",
          "[gemm][straight][refusal]") {
  const auto refused = [](const char* config, const char* preset = "h200",
                          DType accumulate = DType::f32) {
    Problem problem = problem_of(64, 64, 64, {DType::f16, DType::f16});
    problem.accumulate = accumulate;
    return refusal_of([&] {
      return make_plan(problem, device_preset(preset),
                       parse_config(std::string("main_loop=straight ") + config));
    });
  };
  CHECK(refused("stages=2").operand == "stages");
  CHECK(refused("stages=2").nearest_legal == "1");
  CHECK(refused("tile=16x8x64 smem_a=(16,64):(64,1)").operand == "smem_a");
  CHECK(refused("cluster=2x1").operand == "cluster");
  CHECK(refused("split_k=2").operand == "split_k");
  CHECK(refused("release=at_start", "a100").operand == "release");
  CHECK(refused("atom_layout=(1,1,2)", "h200", DType::f16).operand == "atom_layout");
  // Parts of K one behind the other: the first is whole warps, which drain.
  CHECK(refused("atom_layout=(2,1,2):(2,1,1)").operand == "atom_layout");
  CHECK(refused("tile=256x256x64 atom_layout=(1,1,1)").operand == "tile");
}

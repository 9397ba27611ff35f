// Kernels of a producer and consumers: right whatever the plan's values are, and silent under every
// check of the emulator, whenever asynchronous work lands.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/draws.hpp"
#include "support/epilogue_cases.hpp"
#include "support/specialised_cases.hpp"

#include <jute/emulator/emulator.hpp>

#include <array>
#include <span>

using namespace jute;
using namespace jute::test;

namespace {

/// Rows come in parts that run side by side.
constexpr size_t kParts = 4;

std::string failures_of_part(Context context, size_t part) {
  std::string failures;
  for (size_t i = part; i < kSpecialised.size(); i += kParts) {
    if (!is_run(i / kParts)) continue;
    const SpecialisedRow& row = kSpecialised[i];
    const GemmCase gemm_case = case_of(row, 17);
    const Plan plan =
        make_plan(gemm_case.problem, context.backend().device_info(), gemm_case.config);
    if (gemm_step(plan).schedule.main_loop != MainLoop::warp_specialised)
      failures += std::string(row.config) + ": not warp-specialised\n";
    if (!check(plan).empty()) failures += std::string(row.config) + ": not legal\n";
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    if (!outcome.failures.empty())
      failures += std::string(row.config) + ": " + describe(gemm_case, outcome) + "\n";
  }
  return failures;
}

void expect_right_whenever_work_lands(size_t part) {
  constexpr std::array kSchedules{Schedule::fixed, Schedule::random, Schedule::late,
                                  Schedule::early};
  const auto count = static_cast<size_t>(draws(static_cast<int>(kSchedules.size())));
  for (const Schedule schedule : std::span(kSchedules).first(count))
    CHECK(failures_of_part(context_of(schedule, 1), part) == "");
}

}  // namespace

TEST_CASE("warp-specialised kernels are right whenever work lands: a quarter of them",
          "[gemm][specialised]") {
  expect_right_whenever_work_lands(0);
}
TEST_CASE("warp-specialised kernels are right whenever work lands: a second quarter",
          "[gemm][specialised]") {
  expect_right_whenever_work_lands(1);
}
TEST_CASE("warp-specialised kernels are right whenever work lands: a third quarter",
          "[gemm][specialised]") {
  expect_right_whenever_work_lands(2);
}
TEST_CASE("warp-specialised kernels are right whenever work lands: the last quarter",
          "[gemm][specialised]") {
  expect_right_whenever_work_lands(3);
}

TEST_CASE("other shared layouts that TMA writes and wgmma reads give the same bits",
          "[gemm][specialised][layouts]") {
  Context context = context_of(Schedule::late);
  GemmCase gemm_case;
  Problem& problem = gemm_case.problem;
  problem.m = 136;
  problem.n = 72;
  problem.k = 104;
  gemm_case.beta = 0.5;
  gemm_case.seed = 5;
  gemm_case.config = parse_config("main_loop=warp_specialised tile=128x64x64");
  // (mn,k) of A's tile and of B's, for operands along K and along M or N.
  struct Layouts {
    const char *a, *b;
  };
  const std::pair<Order, std::vector<Layouts>> families[] = {
      {Order::row,
       {{"Sw<3,3,3>o0o(128,64):(64,1)", "Sw<3,3,3>o0o(64,64):(64,1)"},
        {"Sw<2,3,3>o0o(128,(32,2)):(32,(1,4096))", "Sw<2,3,3>o0o(64,(32,2)):(32,(1,2048))"},
        {"Sw<1,3,3>o0o(128,(16,4)):(16,(1,2048))", "Sw<3,3,3>o0o(64,64):(64,1)"},
        {"(128,(8,8)):(8,(1,1024))", "(64,(8,8)):(8,(1,512))"},
        {"Sw<3,3,3>o0o((64,2),64):((64,8192),1)", "Sw<2,3,3>o0o(64,(32,2)):(32,(1,2048))"}}},
      {Order::col,
       {{"Sw<3,3,3>o0o((64,2),64):((1,4096),64)", "Sw<3,3,3>o0o(64,64):(1,64)"},
        {"Sw<2,3,3>o0o((32,4),64):((1,2048),32)", "Sw<2,3,3>o0o((32,2),64):((1,2048),32)"},
        {"Sw<1,3,3>o0o((16,8),64):((1,1024),16)", "Sw<3,3,3>o0o(64,64):(1,64)"},
        {"Sw<3,3,3>o0o((64,2),(8,8)):((1,512),(64,1024))", "Sw<3,3,3>o0o(64,64):(1,64)"}}}};
  for (const auto& [order, list] : families) {
    problem.a = {.type = DType::bf16, .order = order};
    problem.b = {.type = DType::bf16, .order = order == Order::row ? Order::col : Order::row};
    problem.c = problem.d = {.type = DType::bf16};
    gemm_case.config.smem_a.reset();
    gemm_case.config.smem_b.reset();
    const CaseData data = make_data(gemm_case);
    const CaseOutcome planned = run_case(context, gemm_case, data);
    CHECK(describe(gemm_case, planned) == "");
    for (const Layouts& layouts : list) {
      gemm_case.config.smem_a = ComposedLayout(layouts.a);
      gemm_case.config.smem_b = ComposedLayout(layouts.b);
      INFO(layouts.a << " and " << layouts.b);
      const CaseOutcome outcome = run_case(context, gemm_case, data);
      CHECK(describe(gemm_case, outcome) == "");
      CHECK(outcome.d == planned.d);
    }
  }
}

TEST_CASE("what lands behind a tile's k-tiles is right whenever it lands", "[gemm][specialised]") {
  struct Row {
    EpilogueRow epilogue;
    EpilogueKernel kernel;
  };
  constexpr Order kA = Order::row, kB = Order::col;
  constexpr DType kBf16 = DType::bf16;
  constexpr Row kRows[] = {
      {{"acc + x[m,n]", ""},
       {"", "tile=128x256x64 blocks=2", kBf16, kBf16, kA, kB, kRow, 140, 264, 392, 2}},
      {{"acc*s + c", ""},
       {"", "tile=128x256x64 blocks=2 cluster=2x1", kBf16, kBf16, kA, kB, kRow, 264, 264, 72, 1}},
      {{"acc + x[m,n]", "x=f16"},
       {"", "tile=128x256x64", DType::f16, DType::f16, kA, kB, kRow, 140, 256, 264, 1}},
      {{"acc + c + bias[m]", ""},
       {"", "tile=64x256x64 atom_layout=(1,1,1) blocks=2 stages=5", kBf16, kBf16, kA, kB, kRow, 140,
        264, 200, 1}},
      {{"acc + x[m,n]; a = amax(acc)", ""},
       {"", "tile=128x176x128 stages=5 blocks=1", DType::e4m3, kBf16, kA, kB, kRow, 136, 184, 400,
        1}}};
  for (const Schedule schedule : {Schedule::early, Schedule::late, Schedule::random}) {
    Context context = context_of(schedule, 5);
    for (const Row& row : kRows) {
      INFO(row.kernel.config);
      GemmCase gemm_case = case_of(row.kernel, row.epilogue, 3);
      gemm_case.beta = gemm_case.beta == 0 ? 0 : 1;  // as expressions without it have it
      const Plan plan =
          make_plan(gemm_case.problem, context.backend().device_info(), gemm_case.config);
      CHECK(gemm_step(plan).epilogue.drain->by_ring > 0);
      CHECK(describe(gemm_case, run_case(context, gemm_case, make_data(gemm_case))) == "");
    }
  }
}

TEST_CASE("sums of slices have the same bits whoever adds them", "[gemm][specialised][slices]") {
  const EpilogueRow row{"d = relu(alpha*acc + beta*c + bias[n] + x[m,n])", "x=bf16:col"};
  for (const char* tile : {"tile=64x64x64", "tile=128x32x64", "tile=64x96x64 cluster=1x1",
                           "tile=64x24x64"})  // whose parts span rows
    for (const int split_k : {2, 7}) {
      const std::string config = std::string(tile) + " split_k=" + std::to_string(split_k);
      INFO(config);
      const EpilogueKernel kernel{
          "", config, DType::bf16, DType::bf16, Order::row, Order::col, Order::row, 70, 90, 520, 2};
      GemmCase gemm_case = case_of(kernel, row, 3);
      const CaseData data = make_data(gemm_case);
      Context context = context_of(split_k == 2 ? Schedule::late : Schedule::random, 7);
      const auto bits = [&](const char* reduction) {
        gemm_case.config = parse_config(config + " reduction=" + reduction);
        const CaseOutcome outcome = run_case(context, gemm_case, data);
        CHECK(describe(gemm_case, outcome) == "");
        return outcome.d;
      };
      const auto wanted = bits("last_adds");
      CHECK(bits("all_add") == wanted);
      CHECK(bits("distributed") == wanted);
    }
}

TEST_CASE("a workspace serves one sliced run after the other, whatever their sizes",
          "[gemm][specialised][slices]") {
  Context context = context_of(Schedule::random, 3);
  Backend& backend = context.backend();
  GemmCase gemm_case;
  Problem& problem = gemm_case.problem;
  problem.m = 130;
  problem.n = 64;
  problem.k = 520;
  problem.a = problem.c = problem.d = {.type = DType::bf16};
  problem.b = {.type = DType::bf16, .order = Order::col};
  const Gemm gemm = prepare(context, problem, parse_config("split_k=3"));
  const CaseData data = make_data(gemm_case);
  const Buffer a = uploaded(backend, data.a), b = uploaded(backend, data.b);
  const Buffer workspace(backend, gemm.workspace_bytes());
  backend.fill(workspace.pointer(), 0xff, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  const auto rows = [&](Index m) {
    const Buffer d(backend, problem.m * problem.n * 2);
    GemmArgs args;
    args.a = a.pointer();
    args.b = b.pointer();
    args.d = d.pointer();
    args.workspace = workspace.pointer();
    args.m = m;
    gemm.run(args);
    backend.synchronize();
    std::vector<std::byte> bytes(static_cast<size_t>(m * problem.n * 2));
    backend.copy_out(bytes, d.pointer());
    return bytes;
  };
  const std::vector<std::byte> all = rows(130), few = rows(40);
  CHECK(std::equal(few.begin(), few.end(), all.begin()));
  CHECK(rows(130) == all);
  CHECK(rows(0).empty());
  CHECK(rows(130) == all);
}

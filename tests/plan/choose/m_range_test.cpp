// Few kernels for many M: what they lose, what they need, what is refused.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/cost/width_cost.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <tuple>

#include "plan/derive/block_of.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::problem_of;
using test::refusal_of;

namespace {

Problem ranged(Index first, Index last, Index n, Index k) {
  Problem problem = problem_of(last, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  problem.m_range = MRange{first, last};
  return problem;
}

double clocks_of(const Plan& plan, Index m) {
  return best_width(width_costs(plan), m, plan.problem.batch).clocks;
}

/// M from all of the range, small ones as often as large ones.
std::vector<Index> some_of(const MRange& range, int count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(std::log(static_cast<double>(range.first) + 1),
                                                  std::log(static_cast<double>(range.last) + 2));
  std::vector<Index> rows{range.first, range.last};
  for (int i = 0; i < count; ++i)
    rows.push_back(
        std::clamp(static_cast<Index>(std::exp(exponent(random))) - 1, range.first, range.last));
  return rows;
}

struct Losses {
  double mean = 0, worst = 0;
};

/// What the plans lose against kernels of a producer and consumers that are made for one M each.
Losses losses(const std::vector<Plan>& plans, Problem problem, const DeviceInfo& device) {
  const std::vector<Index> rows = some_of(*problem.m_range, 100);
  problem.m_range.reset();
  const Config groups = parse_config("main_loop=warp_specialised");
  Losses result;
  for (const Index m : rows) {
    problem.m = m;
    const double best = clocks_of(make_plan(problem, device, groups), m);
    const double loss = clocks_of(plan_for_m(plans, m), m) / best - 1;
    result.worst = std::max(result.worst, loss);
    result.mean += loss / static_cast<double>(rows.size());
  }
  return result;
}

/// What the plan's kernel loses for so many rows against the one that is planned for them, as far
/// as one model speaks of both.
double loss_of(Plan plan, Index m, Problem problem, const DeviceInfo& device) {
  problem.m_range.reset();
  problem.m = plan.problem.m = m;
  const Plan own = make_plan(problem, device);
  for (Step& step : plan.steps)
    if (auto* gemm = std::get_if<GemmStep>(&step)) {
      const GemmStep& best = gemm_step(own);
      const auto is_straight = [](const GemmStep& one) {  // of which there are several models
        return one.schedule.main_loop == MainLoop::straight;
      };
      if (is_straight(*gemm) || is_straight(best)) return 0;
      plan::set_rows(*gemm, m, device);
    }
  return std::max(prediction_of(plan)->clocks / prediction_of(own)->clocks - 1, 0.0);
}

}  // namespace

TEST_CASE("no M of a range loses more than three percent where eight kernels can do that",
          "[plan][m_range]") {
  const DeviceInfo device = device_preset("h200");
  for (const Problem& problem :
       {ranged(1, 64, 4096, 4096), ranged(4096, 4224, 4096, 4096), ranged(1, 32, 256, 32768),
        ranged(30000, 32000, 7168, 2048), ranged(17, 17, 4096, 4096)}) {
    INFO(problem);
    const std::vector<Plan> plans = make_plans(problem, device);
    CHECK(plans.size() <= kMostKernelsOfRange);
    CHECK(losses(plans, problem, device).worst <= kLossOfRange);
  }
  CHECK(make_plans(ranged(0, 0, 64, 64), device).size() == 1);
}

TEST_CASE("eight kernels lose a fraction of what one loses over a wide range", "[plan][m_range]") {
  const DeviceInfo device = device_preset("h200");
  for (const Problem& problem : {ranged(1, 8192, 4096, 4096), ranged(1, 4096, 1024, 8192),
                                 ranged(100, 50000, 7168, 2048), ranged(1, 512, 256, 32768)}) {
    INFO(problem);
    const std::vector<Plan> plans = make_plans(problem, device);
    CHECK(plans.size() <= kMostKernelsOfRange);
    const Losses few = losses(plans, problem, device);
    const Losses one = losses({plans.back()}, problem, device);
    CHECK(few.mean < 0.03);
    CHECK(few.worst < 0.25);
    CHECK(few.mean < 0.4 * one.mean);
  }
}

TEST_CASE("kernels of a range are legal, and planned for the greatest M that is theirs",
          "[plan][m_range]") {
  const DeviceInfo device = device_preset("h200");
  const Problem problem = ranged(1, 8192, 4096, 4096);
  const std::vector<Plan> plans = make_plans(problem, device);
  REQUIRE(plans.size() > 1);
  for (const Plan& plan : plans) {
    CHECK(check(plan).empty());
    CHECK_FALSE(plan.problem.m_range.has_value());
    // A grid that walks over tiles has the whole chip: other M have other rounds.
    const GemmStep& step = gemm_step(plan);
    if (walks(step.schedule))
      CHECK(step.schedule.persistent_blocks > device.sm_count - blocks(step.schedule.cluster));
  }
  CHECK(std::ranges::is_sorted(plans, {}, [](const Plan& plan) { return plan.problem.m; }));
  CHECK(plans.back().problem.m == 8192);
  std::set<const Plan*> serving;
  for (Index m = 1; m <= 8192; ++m) {
    const Plan& plan = plan_for_m(plans, m);
    serving.insert(&plan);
    if (plan.problem.m < m) FAIL_CHECK(m << " rows on a kernel for " << plan.problem.m);
  }
  CHECK(serving.size() == plans.size());
}

TEST_CASE("tiles take from a launch what their plan allows, and nothing else",
          "[plan][m_range][refusal]") {
  const DeviceInfo device = device_preset("h200");
  Config without;
  without.widths = false;
  const std::vector<Plan> plans = make_plans(ranged(1, 8192, 4096, 4096), device);
  for (const Plan& plan : make_plans(ranged(1, 8192, 4096, 4096), device, without))
    CHECK_FALSE(has_widths(gemm_step(plan)));
  const auto found =
      std::ranges::find_if(plans, [](const Plan& plan) { return has_widths(gemm_step(plan)); });
  REQUIRE(found != plans.end());
  const GemmStep& step = gemm_step(*found);
  // The narrower, the more stages; all within the memory that the widest have.
  const Index ring = smem_region(step, "b").offset + smem_region(step, "b").bytes;
  for (const int width : step.schedule.widths) {
    const int stages = stages_of_width(step, width);
    CHECK(stages >= step.schedule.stages);
    CHECK(stages <= smem_region(step, "full").copies);
    CHECK(Index{stages} * (step.tile.m + width) * 128 <= ring);
  }
  const auto refused = [&](const auto& change) {
    Plan other = *found;
    change(std::get<GemmStep>(other.steps.back()));
    return std::ranges::any_of(check(other),
                               [](const Error& error) { return error.operand == "widths"; });
  };
  CHECK(refused([](GemmStep& one) { one.schedule.widths.pop_back(); }));
  CHECK(refused([](GemmStep& one) { one.schedule.widths.back() += 8; }));
  CHECK(refused([](GemmStep& one) { one.schedule.persistent_blocks = 0; }));
  // Sums of 8-bit floats are promoted, and D of four bytes has no subtiles: their tiles are as
  // planned.
  for (const DType type : {DType::e4m3, DType::tf32}) {
    Problem other = problem_of(512, 4096, 4096, {type, DType::f32}, {Order::row, Order::col});
    other.m_range = MRange{1, 512};
    for (const Plan& plan : make_plans(other, device)) CHECK_FALSE(has_widths(gemm_step(plan)));
  }
}

TEST_CASE("what was best for an M is remembered, and is what is best", "[plan][m_range]") {
  for (const Plan& plan : make_plans(ranged(1, 2048, 1024, 4096), device_preset("h200"))) {
    const std::vector<WidthCost> costs = width_costs(plan);
    const WidthChoices choices(costs, 1);
    // Those that differ by 256 share a place.
    for (const Index m : {1, 257, 1, 40, 296, 40, 1300, 0})
      for (const Index batch : {1, 3}) {
        const WidthChoice once = best_width(costs, m, batch), again = choices.best(m, batch);
        CHECK(std::tuple(again.width, again.split_k, again.clocks) ==
              std::tuple(once.width, once.split_k, once.clocks));
      }
  }
  CHECK(WidthChoices({}, 1).best(5, 1).width == 0);
}

TEST_CASE("ranges of problems without elements, and runs of any number of rows, have their kernels",
          "[plan][m_range]") {
  const DeviceInfo device = device_preset("h200");
  for (const Problem& problem : {ranged(1, 8, 0, 4096), ranged(1, 8, 64, 0), ranged(0, 0, 64, 4096),
                                 ranged(1, 300, 64, 1 << 30)}) {
    INFO(problem);
    CHECK_FALSE(make_plans(problem, device).empty());
  }
  const std::vector<Plan> plans = make_plans(ranged(1, 4096, 1024, 4096), device);
  constexpr Index kHuge = Index{1} << 62;
  CHECK(best_width(width_costs(plan_for_m(plans, kHuge)), kHuge, kHuge).clocks > 1e30);
}

TEST_CASE("tiles of a range are no wider than its rows need", "[plan][m_range]") {
  const auto widest = [](Index last) {
    int width = 0;
    for (const Plan& plan : make_plans(ranged(1, last, 4096, 4096), device_preset("h200")))
      if (has_widths(gemm_step(plan))) width = std::max(width, gemm_step(plan).tile.n);
    return width;
  };
  CHECK(widest(60) == 64);
  CHECK(widest(65) == 128);
  CHECK(widest(200) == 256);
}

TEST_CASE("few rows take a range's kernel hardly longer than a kernel of their own",
          "[plan][m_range]") {
  // Rows of 2064 bytes begin within lines: TMA takes its time for each, and none is past the edge.
  const DeviceInfo device = device_preset("h200");
  const std::vector<Plan> plans = make_plans(ranged(1, 8192, 4096, 1032), device);
  for (const Index m : {8, 40, 100}) {
    Problem own = ranged(m, m, 4096, 1032);
    own.m_range.reset();
    INFO(m);
    CHECK(clocks_of(plan_for_m(plans, m), m) <= 1.15 * clocks_of(make_plan(own, device), m));
  }
}

TEST_CASE("a kernel of a range is named by the last M that takes it", "[plan][m_range]") {
  const Problem problem = ranged(1, 512, 256, 32768);
  const std::vector<Plan> plans = make_plans(problem, device_preset("h200"));
  REQUIRE(plans.size() > 1);
  for (size_t i = 0; i + 1 < plans.size(); ++i) {
    const Index last = plans[i].problem.m;
    INFO(last);
    CHECK(&plan_for_m(plans, last) == &plans[i]);
    CHECK(&plan_for_m(plans, last + 1) != &plans[i]);
  }
}

TEST_CASE("a workspace for the range is large enough for each M, on the kernel that is its",
          "[plan][m_range]") {
  const Problem problem = ranged(1, 600, 128, 65536);
  const std::vector<Plan> plans = make_plans(problem, device_preset("h200"));
  CHECK(std::ranges::any_of(plans, [](const Plan& plan) { return workspace_bytes(plan) > 0; }));
  for (Index m = 1; m <= 600; ++m) {
    const Plan& plan = plan_for_m(plans, m);
    RunValues run = run_values(plan.problem);
    run.m = m;
    CHECK(workspace_bytes(plan.workspace, run) <= workspace_bytes(plan));
  }
}

TEST_CASE("the same range gives the same kernels", "[plan][m_range]") {
  const DeviceInfo device = device_preset("h200");
  const Problem problem = ranged(1, 4096, 4096, 4096);
  CHECK(make_plans(problem, device) == make_plans(problem, device));
  // make_plan gives the one of them for the problem's own M.
  Problem few = problem;
  few.m = 33;
  CHECK(make_plan(few, device) == plan_for_m(make_plans(problem, device), 33));
}

TEST_CASE("without warpgroups a range of M is shared out among kernels", "[plan][m_range]") {
  Problem floats = problem_of(4096, 2048, 2048);
  floats.m_range = MRange{1, 4096};
  Problem odd = problem_of(4096, 1001, 1003);
  odd.m_range = MRange{1, 4096};
  for (const auto& [problem, chip] : {std::pair(ranged(1, 8192, 4096, 4096), "a100"),
                                      std::pair(ranged(1, 4096, 1024, 8192), "l40s"),
                                      std::pair(floats, "h200"), std::pair(odd, "h200")}) {
    INFO(chip << ": " << problem);
    const DeviceInfo device = device_preset(chip);
    const std::vector<Plan> plans = make_plans(problem, device);
    CHECK(plans.size() > 2);
    CHECK(plans.size() <= kMostKernelsOfRange);
    for (const Plan& plan : plans) CHECK(check(plan).empty());
    CHECK(std::ranges::is_sorted(plans, {}, [](const Plan& plan) { return plan.problem.m; }));
    CHECK(plans.back().problem.m == problem.m_range->last);
    double few = 0, one = 0;
    const std::vector<Index> rows = some_of(*problem.m_range, 60);
    for (const Index m : rows) {
      const Plan& plan = plan_for_m(plans, m);
      CHECK(plan.problem.m >= m);
      few += loss_of(plan, m, problem, device);
      one += loss_of(plans.back(), m, problem, device);
    }
    CHECK(few < 0.1 * static_cast<double>(rows.size()));
    CHECK(few < 0.5 * one);
  }
}

TEST_CASE("one kernel serves a range where there is no choice", "[plan][m_range]") {
  const Config fixed = parse_config("tile=128x128x64 atom_layout=(2,1,1)");
  CHECK(make_plans(ranged(1, 1000, 512, 512), device_preset("h200"), fixed).size() == 1);
  CHECK(make_plans(ranged(7, 7, 512, 512), device_preset("h200")).size() == 1);
  CHECK(make_plans(problem_of(100, 512, 512), device_preset("h200")).size() == 1);
}

TEST_CASE("what a caller chooses holds for every kernel of a range", "[plan][m_range]") {
  const Problem problem = ranged(1, 2048, 4096, 4096);
  for (const Plan& plan :
       make_plans(problem, device_preset("h200"), parse_config("swapped=off split_k=2"))) {
    CHECK(gemm_step(plan).schedule.split_k == 2);
    CHECK(gemm_step(plan).epilogue.d_order == Order::row);
  }
}

TEST_CASE("strides left empty are packed for the last M of a range", "[plan][m_range]") {
  Problem problem = ranged(1, 512, 64, 32);
  problem.m = 7;
  problem.a.order = Order::col;
  problem.batch = 2;
  const Problem whole = completed(problem);
  CHECK(whole.a.ld_elems == 512);
  CHECK(whole.d.batch_stride_elems == 512 * 64);
  CHECK(whole.m == 7);
  CHECK(completed(whole) == whole);
}

TEST_CASE("a range is text and back, and what is no range is refused", "[plan][m_range][refusal]") {
  CHECK(to_string(MRange{1, 8192}) == "1:8192");
  CHECK(parse_m_range("1:8192") == MRange{1, 8192});
  for (const char* text : {"", "1", "1:", ":2", "1:2:3", "1-2", "a:b"})
    CHECK(refusal_of([&] { return parse_m_range(text); }).code == ErrorCode::syntax);
  CHECK(refusal_of([&] { return parse_m_range("1-64"); }).nearest_legal == "1:64");
  CHECK(refusal_of([&] { return parse_m_range("8..64"); }).nearest_legal == "8:64");
  CHECK(refusal_of([&] { return parse_m_range("64"); }).nearest_legal == "1:64");
  CHECK(!refusal_of([&] { return parse_m_range("1:2:3"); }).nearest_legal);
  CHECK(to_string(ranged(1, 8192, 64, 64)).ends_with(" m_range=1:8192"));
  Problem down = ranged(9, 5, 64, 64);
  CHECK(refusal_of([&] { return completed(down); }).nearest_legal == "5:9");
  Problem endless = ranged(1, 5, 64, 64);
  endless.m_range = parse_m_range("1:99999999999999999999");
  CHECK(refusal_of([&] { return completed(endless); }).nearest_legal == "1:2147479552");
  Problem outside = ranged(4, 8, 64, 64);
  outside.m = 20;
  const Error error = refusal_of([&] { return completed(outside); });
  CHECK(error.operand == "M");
  CHECK(error.nearest_legal == "8");
  Config literal;
  literal.specialize = Specialize::all;
  CHECK(refusal_of([&] {
          return make_plans(ranged(1, 8, 64, 64), device_preset("h200"), literal);
        }).operand == "specialize");
}

TEST_CASE("a refused M, or range of M, is the caller's, and what is nearest is legal",
          "[plan][m_range][refusal]") {
  const Index most = (Index{1} << 31) - 4096;
  const auto refused = [](Index m, MRange range) {
    Problem problem = problem_of(m, 64, 64, {DType::bf16, DType::bf16});
    problem.m_range = range;
    return refusal_of([&] { return completed(problem); });
  };
  for (const Index m : {Index{-1}, Index{0}, Index{10}, Index{1} << 40}) {
    const Error error = refused(m, {1, 9});
    INFO(m);
    CHECK(error.operand == "M");
    CHECK(error.violated_rules.size() == 1);
    CHECK(error.nearest_legal == (m < 1 ? "1" : "9"));
  }
  for (const MRange range : {MRange{1, Index{1} << 31}, MRange{1, Index{1} << 62}, MRange{-5, -1},
                             MRange{most + 1, most + 1}}) {
    const Error error = refused(range.last, range);
    INFO(to_string(range));
    CHECK(error.operand == "m_range");
    CHECK(error.violated_rules.size() == 1);
    const MRange nearest = parse_m_range(error.nearest_legal.value());
    Problem legal = problem_of(nearest.last, 64, 64, {DType::bf16, DType::bf16});
    legal.m_range = nearest;
    CHECK_NOTHROW(completed(legal));
  }
}

TEST_CASE("the kernels of a range read the same copies", "[plan][m_range][pad]") {
  Problem problem = problem_of(700, 1001, 1003, {DType::tf32, DType::f32});
  problem.m_range = MRange{1, 700};
  const std::vector<Plan> plans = make_plans(problem, device_preset("h200"));
  REQUIRE(plans.size() > 1);
  for (const Plan& plan : plans) {
    const auto& step = std::get<MoveStep>(plan.steps.front());
    REQUIRE(step.moves.size() == 2);
    CHECK_FALSE(step.moves[0].transposed);
    CHECK(step.moves[1].transposed);
    CHECK(step.moves == std::get<MoveStep>(plans.front().steps.front()).moves);
  }
}

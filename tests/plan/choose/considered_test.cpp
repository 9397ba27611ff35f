// What planning chooses from, told with its reasons.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <cmath>

#include "plan/choose/choices.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

Problem bf16_problem(Index m, Index n, Index k) {
  return problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
}

bool are_near(double x, double y) { return std::abs(x - y) <= 1e-9 * std::abs(y); }

}  // namespace

TEST_CASE("a candidate's choices plan that candidate and no other", "[plan][candidates]") {
  struct Row {
    Problem problem;
    const char* preset;
  };
  Problem by_columns = bf16_problem(300, 512, 264);
  by_columns.c.order = by_columns.d.order = Order::col;
  Problem small = bf16_problem(64, 48, 64);
  small.batch = 1500;
  const Row rows[] = {
      {bf16_problem(4096, 4096, 4096), "h200"},
      {bf16_problem(256, 256, 65536), "h200"},
      {bf16_problem(16, 7168, 16384), "h200"},
      {bf16_problem(4096, 4096, 4104), "h200"},
      {bf16_problem(1000, 200, 72), "h200"},
      {bf16_problem(1582, 338, 3507), "h200"},
      {bf16_problem(41, 222, 15582), "h200"},
      {by_columns, "h200"},
      {small, "h200"},
      {problem_of(1024, 1024, 1024, {DType::e4m3, DType::bf16}, {Order::row, Order::col}), "h200"},
      {problem_of(1024, 512, 1024, {DType::f16, DType::f16}), "a100"},
      {problem_of(512, 512, 512, {DType::s8, DType::s32}), "rtx3090"},
      {problem_of(300, 200, 100), "t4"},
      {problem_of(40, 300, 20), "h200"},
      {problem_of(300, 200, 1000), "h200"},
      {problem_of(300, 200, 1001, {DType::f32, DType::f32}, {Order::row, Order::col}), "h200"},
      {problem_of(3, 2000, 1001, {DType::f32, DType::f32}, {Order::row, Order::col}), "h200"},
  };
  for (const auto& [given, preset] : rows) {
    INFO(given << " on " << preset);
    const Problem problem = completed(given);
    const DeviceInfo device = device_preset(preset);
    const Catalogue catalogue;
    const plan::Options options = plan::options_for({problem, device, {}, catalogue});
    const auto by_groups = [](const plan::Candidate& candidate) {
      return std::holds_alternative<GroupTile>(candidate.tile);
    };
    for (const plan::Candidate& candidate : options.candidates) {
      INFO(to_string(candidate));
      // Copies made for wgmma are for it alone: what else is asked for reads rows as they lie.
      if (options.moves && by_groups(options.candidates.front()) && !by_groups(candidate)) continue;
      const plan::Derived derived =
          plan::derived({problem, device, {}, catalogue}, options, candidate);
      const auto* const step = std::get_if<GemmStep>(&derived);
      if (step == nullptr) continue;
      const Config config = plan::choices({}, *step);
      CHECK(gemm_step(make_plan(problem, device, parse_config(to_string(config)))) == *step);
    }
  }
}

TEST_CASE("the first candidate that is legal is planned", "[plan][candidates]") {
  const DeviceInfo device = device_preset("h200");
  for (const Problem& problem :
       {bf16_problem(4096, 4096, 4096), bf16_problem(64, 128, 131072), problem_of(40, 24, 16)}) {
    const std::vector<Considered> list = considered(problem, device);
    const auto first = std::ranges::find(list, std::string(), &Considered::refused);
    REQUIRE(first != list.end());
    CHECK(make_plan(problem, device, first->config) == make_plan(problem, device));
  }
}

TEST_CASE("predictions are told part by part, and their parts make the sum", "[plan][candidates]") {
  const std::vector<Considered> list =
      considered(bf16_problem(512, 768, 16384), device_preset("h200"));
  REQUIRE(list.size() > 10);
  for (size_t i = 0; i < 10; ++i) {
    REQUIRE(list[i].prediction);
    const Prediction& p = *list[i].prediction;
    CHECK(are_near(p.work,
                   (p.waves * p.k_blocks * p.k_block + p.ends * (p.tile + p.epilogue)) * p.power));
    CHECK(are_near(p.clocks, p.launch + p.start +
                                 std::max(p.work, p.memory + p.past_the_edge + p.last_end) +
                                 p.least + p.meet));
    if (i > 0) CHECK(p.clocks >= list[i - 1].prediction->clocks);
  }
  const std::string text = to_string(fields(list));
  CHECK(std::ranges::count(text, '\n') == 11);
  CHECK(text.find("candidate SM90_") == 0);
  CHECK(text.find("slices meet") != std::string::npos);
  CHECK(text.find("\nwhy SM90_") != std::string::npos);
  CHECK(text.find("% less than the next, " + list[1].text + "; it saves most by") !=
        std::string::npos);
}

// M is a number of the launch, but the plan is for the one M that is told.
TEST_CASE("what a candidate is told to take is what it was ranked by", "[plan][candidates]") {
  Problem small = bf16_problem(64, 64, 64);
  small.batch = 1024;
  for (const Problem& problem : {bf16_problem(7, 24, 14456), small}) {
    const std::vector<Considered> list = considered(problem, device_preset("h200"));
    REQUIRE(list.size() > 1);
    CHECK(list[0].prediction->clocks <= list[1].prediction->clocks);
  }
}

TEST_CASE("where nothing is predicted the table's order is the reason", "[plan][candidates]") {
  const Fields told = fields(considered(problem_of(3000, 2000, 1000), device_preset("t4")));
  CHECK(std::get<std::string>(told.back().value)
            .ends_with("is the first row of the table that suits; nothing is predicted of it"));
}

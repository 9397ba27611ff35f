// What planning chooses from, told with its reasons.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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
      return row_of(candidate.family).transfer == Transfer::tma;
    };
    for (const auto& [clocks, candidate] : options.candidates) {
      INFO(to_string(candidate));
      // Copies made for wgmma are for it alone: what else is asked for reads rows as they lie.
      if (options.moves && by_groups(options.candidates.front().candidate) && !by_groups(candidate))
        continue;
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
                                 p.least + p.reduction));
    if (i > 0) CHECK(p.clocks >= list[i - 1].prediction->clocks);
  }
  const std::string text = to_string(fields(list));
  CHECK(text.find("candidate SM90_") == 0);
  CHECK(text.find(" + reduction ") != std::string::npos);
  CHECK(text.find("\nwhy SM90_") != std::string::npos);
  CHECK(text.find("% less than the next, " + list[1].text + "; it saves most by") !=
        std::string::npos);
}

namespace {

/// Lists of every family, on chips old and new.
std::vector<std::vector<Considered>> some_lists() {
  struct Row {
    Problem problem;
    const char* preset;
  };
  const Row rows[] = {
      {bf16_problem(4096, 4096, 4096), "h200"},
      {bf16_problem(512, 768, 16384), "h200"},
      {bf16_problem(16, 7168, 16384), "h200"},
      {bf16_problem(1, 4096, 4096), "h200"},
      {bf16_problem(1, 4096, 4096), "b200"},
      {bf16_problem(33, 77, 95), "h200"},
      {bf16_problem(1582, 338, 3507), "h200"},
      {bf16_problem(2048, 2048, 2048), "a100"},
      {problem_of(2048, 2048, 2048, {DType::f64, DType::f64}), "h200"},
      {problem_of(40, 300, 5000, {DType::f64, DType::f64}), "h200"},
      {problem_of(33, 77, 95), "h200"},
      {problem_of(1000, 1000, 1000), "h200"},
      {problem_of(3, 2000, 1001, {DType::f32, DType::f32}, {Order::row, Order::col}), "h200"},
      {problem_of(500, 400, 3000, {DType::tf32, DType::f32}), "h200"},
      {problem_of(512, 512, 512, {DType::s8, DType::s32}), "rtx3090"},
      {problem_of(1024, 1024, 1024, {DType::e4m3, DType::bf16}, {Order::row, Order::col}), "l40s"},
  };
  std::vector<std::vector<Considered>> lists;
  for (const auto& [problem, preset] : rows)
    lists.push_back(considered(problem, device_preset(preset)));
  return lists;
}

Index number_of(const Fields& all, std::string_view name) {
  const auto found = std::ranges::find(all, name, &Field::name);
  REQUIRE(found != all.end());
  return std::get<Index>(found->value);
}

}  // namespace

TEST_CASE("the terms of a prediction sum to its clocks, by names of which there are few",
          "[plan][candidates]") {
  constexpr double kRounding = 0.005;
  std::set<std::string_view> names;
  for (const std::vector<Considered>& list : some_lists())
    for (const Considered& one : list) {
      if (!one.prediction) continue;
      INFO(one.text);
      double sum = 0;
      for (const Term& term : terms(*one.prediction)) {
        sum += term.clocks;
        names.insert(term.name);
      }
      CHECK(are_near(sum, one.prediction->clocks));
    }
  CHECK(names.size() <= 12);
  for (const std::vector<Considered>& list : some_lists()) {
    const Fields told_list = fields(list);
    for (const Field& candidate : std::get<FieldList>(told_list.front().value).items) {
      INFO(candidate.line);
      const auto& parts = std::get<Fields>(candidate.value);
      const auto told = std::ranges::find(parts, std::string("prediction"), &Field::name);
      if (told == parts.end()) continue;
      const auto& prediction = std::get<Fields>(told->value);
      Index sum = 0;
      for (const Field& term : std::get<FieldList>(prediction.back().value).items)
        sum += number_of(std::get<Fields>(term.value), "clocks");
      const auto clocks = static_cast<double>(number_of(prediction, "clocks"));
      CHECK(std::abs(static_cast<double>(sum) - clocks) <= kRounding * clocks);
    }
  }
}

TEST_CASE("the list that is shown begins with what is planned, ascends, and holds several ideas",
          "[plan][candidates]") {
  for (const std::vector<Considered>& list : some_lists()) {
    const std::vector<Considered> few = shown(list);
    REQUIRE_FALSE(few.empty());
    INFO(few.front().text);
    const auto planned = std::ranges::find(list, std::string(), &Considered::refused);
    CHECK(few.front().text == planned->text);
    CHECK(few.size() <= 10);
    std::map<std::string, int> of_idea;
    std::set<std::string> ideas;
    for (const Considered& one : list)
      if (one.refused.empty()) ideas.insert(one.idea);
    for (size_t i = 0; i < few.size(); ++i) {
      CHECK(few[i].refused.empty());
      const auto clocks = compared_clocks(few[i]);
      if (i > 0 && clocks) CHECK(*clocks >= compared_clocks(few[i - 1]).value_or(0));
      ++of_idea[few[i].idea];
    }
    CHECK((of_idea.size() > 1) == (ideas.size() > 1));
  }
}

TEST_CASE("what decides between two ideas is told, and the rule that keeps one out",
          "[plan][candidates]") {
  const std::string decided =
      decided_by(considered(bf16_problem(1582, 338, 3507), device_preset("h200")));
  CHECK(decided.starts_with("The next other idea, SM90_64x72x16_F32BF16BF16_SS by 1x1 groups"));
  CHECK(decided.find("if l2_bytes were 1.0") != std::string::npos);
  // Warps that copy are far behind, whatever memory gives.
  CHECK(decided_by(considered(bf16_problem(256, 256, 65536), device_preset("h200")))
            .find("no rate of the chip alone") != std::string::npos);
  const Considered first{
      .text = "x", .prediction = Prediction{.memory = 100, .clocks = 100}, .idea = "x"};
  const Considered second{
      .text = "y", .prediction = Prediction{.launch = 101, .clocks = 101}, .idea = "y"};
  // Memory that gives 100/101 of that makes the first take as long.
  const std::string close = decided_by({first, second});
  CHECK(close.find("if memory_seen_gb_s were 0.99 times as great") != std::string::npos);
  CHECK(close.find("only a measurement decides") != std::string::npos);
  const Considered refused{.text = "z", .refused = "too large", .idea = "z"};
  const Fields told = fields({first, refused, second});
  CHECK(std::get<std::string>(told.back().value) == "z: too large");
  CHECK(decided_by({first}).empty());
}

TEST_CASE("why the launch takes some candidates longer is told where it does, as steps have it",
          "[plan][candidates]") {
  const DeviceInfo device = device_preset("h200");
  const Problem problem = bf16_problem(1024, 1024, 1024);
  const std::vector<Considered> list = considered(problem, device);
  const std::string words = launch_words(list);
  const size_t beside = words.find("beside the end"), ended = words.find("has ended");
  REQUIRE((beside != std::string::npos && ended != std::string::npos && beside < ended));
  for (const Considered& one : shown(list)) {
    INFO(one.text);
    const Release releases = gemm_step(make_plan(problem, device, one.config)).schedule.releases;
    CHECK((releases == Release::never) == (words.find(one.idea) > ended));
  }
  const Considered alone{.text = "x", .prediction = Prediction{.launch = 200}, .idea = "x"};
  CHECK(launch_words({alone, alone}).empty());
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

TEST_CASE("of every candidate that is legal something is expected", "[plan][candidates]") {
  constexpr Index kExtents[] = {3, 300, 2000};
  for (const char* preset : {"t4", "v100", "a100", "l40s", "h200", "b200"})
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::s8})
      for (const Index k : kExtents) {
        const Problem problem = problem_of(300, 200, k, {type, usual_output_type(type)});
        for (const Considered& one : considered(problem, device_preset(preset))) {
          INFO(preset << " " << name(type) << " " << k << ": " << one.text);
          CHECK((one.prediction.has_value() || !one.refused.empty()));
        }
      }
  const Fields told = fields(considered(problem_of(3000, 2000, 1000), device_preset("t4")));
  const auto why = std::ranges::find(told, std::string("why"), &Field::name);
  CHECK(std::get<std::string>(why->value).find(" is expected to take ") != std::string::npos);
}

// Every number of a chip's row, changed by itself: what predictions make of it, over all families
// and all chips.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

struct RowProblem {
  DType operand, result;
  Index m, n, k;
  std::optional<DType> accumulate = std::nullopt;
};
/// Of few rows and of many, of tiles whose K is long and of short ones, of every type.
constexpr RowProblem kRowProblems[] = {{DType::bf16, DType::bf16, 1, 4096, 4096},
                                       {DType::bf16, DType::bf16, 4096, 4096, 4096},
                                       {DType::f16, DType::f16, 64, 64, 512},
                                       {DType::f16, DType::f16, 512, 1000, 8192},
                                       {DType::f32, DType::f32, 3, 9000, 1024},
                                       {DType::f32, DType::f32, 1024, 1024, 1024},
                                       {DType::f64, DType::f64, 512, 512, 512},
                                       {DType::f64, DType::f64, 2, 4096, 512},
                                       {DType::s8, DType::s32, 512, 512, 4096},
                                       {DType::s8, DType::s32, 2, 4096, 4096},
                                       {DType::tf32, DType::f32, 1024, 1024, 1024},
                                       {DType::e4m3, DType::f16, 256, 4096, 4096},
                                       {DType::bf16, DType::bf16, 30000, 64, 64},
                                       {DType::s8, DType::s32, 4096, 4096, 4096},
                                       {DType::s8, DType::s32, 100, 100, 1000},
                                       {DType::f64, DType::f64, 2048, 2048, 2048},
                                       {DType::f16, DType::f16, 4096, 4096, 4096, DType::f16}};

Problem row_problem(const RowProblem& of) {
  Problem problem =
      test::problem_of(of.m, of.n, of.k, {of.operand, of.result}, {Order::row, Order::col});
  problem.beta = Factor::zero;
  problem.accumulate = of.accumulate;
  return completed(problem);
}

/// The device with figures so many times as great as its row has them.
DeviceInfo times(DeviceInfo device, const std::vector<std::string>& names, double by) {
  for (const NamedFigure& one : figures(chip_figures(device)))
    for (const std::string& name : names)
      if (one.name == name && one.figure.value > 0)
        device.own_figures.push_back({name, one.figure.value * by, "measured"});
  return device;
}

std::string family_text(const Considered& candidate) {
  return candidate.text + " " + to_string(candidate.config);
}

/// Candidates with predictions, the best of each problem first.
std::vector<Considered> listed(const Problem& problem, const DeviceInfo& device) {
  constexpr size_t kMost = 5;
  std::vector<Considered> list = considered(problem, device);
  std::erase_if(list,
                [](const Considered& one) { return !one.prediction || !one.refused.empty(); });
  if (list.size() > kMost) list.resize(kMost);
  return list;
}

bool is_of_lines(const Considered& candidate) {
  return candidate.idea.find("of lines") != std::string::npos;
}

}  // namespace

TEST_CASE("twice the memory's rate is slower for no kernel of any family and chip",
          "[plan][cost][presets]") {
  for (const DeviceInfo& device : device_presets()) {
    const DeviceInfo twice = times(device, {"memory_gb_s", "memory_seen_gb_s"}, 2);
    REQUIRE(twice.own_figures.size() == 2);
    for (const RowProblem& of : kRowProblems) {
      const Problem problem = row_problem(of);
      for (const Considered& one : listed(problem, device)) {
        const auto now = prediction_of(make_plan(problem, twice, one.config));
        const auto before = prediction_of(make_plan(problem, device, one.config));
        INFO(device.name << " " << problem << ": " << family_text(one));
        REQUIRE(now.has_value());
        CHECK(now->clocks <= before.value().clocks * (1 + 1e-9));
      }
    }
  }
}

TEST_CASE("terms make the sum for every kernel of any family and chip", "[plan][cost][presets]") {
  constexpr double kOfSum = 0.005;
  for (const DeviceInfo& device : device_presets())
    for (const RowProblem& of : kRowProblems) {
      const Problem problem = row_problem(of);
      for (const Considered& one : listed(problem, device)) {
        double sum = 0;
        for (const Term& term : terms(*one.prediction)) sum += term.clocks;
        INFO(device.name << " " << problem << ": " << family_text(one));
        CHECK(std::abs(sum - one.prediction->clocks) <= kOfSum * one.prediction->clocks);
      }
    }
}

TEST_CASE("families' clocks are held against each other as they are", "[plan][cost][presets]") {
  // Products that lines are of stand beside the others: few rows of one side, the other's
  // contiguous along M or N.
  std::vector<Problem> problems;
  for (const RowProblem& of : kRowProblems) problems.push_back(row_problem(of));
  for (const DType type : {DType::bf16, DType::f32, DType::s8})
    for (const Index m : {1, 2, 5, 12}) {
      const DType result = type == DType::s8 ? DType::s32 : type;
      Problem problem = test::problem_of(m, 4001, 555, {type, result}, {Order::row, Order::row});
      problem.beta = Factor::zero;
      problems.push_back(completed(problem));
    }
  bool has_lines = false;
  std::set<std::string> ideas;
  for (const DeviceInfo& device : device_presets())
    for (const Problem& problem : problems) {
      std::vector<Considered> list = considered(problem, device);
      std::erase_if(list,
                    [](const Considered& one) { return !one.prediction || !one.refused.empty(); });
      has_lines = has_lines || std::ranges::any_of(list, is_of_lines);
      for (const Considered& one : list) {
        INFO(device.name << " " << problem << ": " << family_text(one));
        ideas.insert(one.idea);
        CHECK(*compared_clocks(list.front()) <= *compared_clocks(one));
      }
    }
  CHECK(has_lines);
  CHECK(ideas.size() >= 12);  // families and ways of theirs
}

TEST_CASE("each figure of a row changes what is expected of something", "[plan][cost][presets]") {
  // Those that no model reads yet: of clusters and the first tile, what models
  // of wgmma's kernels have as constants; the power limit is in the clock under load.
  const std::set<std::string> unread{"watts",         "dependent_launch_gap", "first_tile",
                                     "l2_same_bytes", "remote_smem_bytes",    "special_functions"};
  std::set<std::string> unfelt;
  for (const NamedFigure& one : figures(ChipFigures{})) unfelt.emplace(one.name);
  const auto time = [](const Problem& problem, const DeviceInfo& device, const Config& config) {
    const Plan plan = make_plan(problem, device, config);
    const ExpectedTime expected = expected_time(plan);
    return std::pair(prediction_of(plan).value().clocks, expected.us);
  };
  const auto look = [&](const Problem& problem, const DeviceInfo& device, const Config& config) {
    const auto before = time(problem, device, config);
    for (const std::string& name : std::set<std::string>(unfelt))
      for (const double by : {0.5, 2.0})
        if (time(problem, times(device, {name}, by), config) != before) unfelt.erase(name);
  };
  for (const char* preset : {"v100", "t4", "a100", "l4", "h200"}) {
    const DeviceInfo device = device_preset(preset);
    for (const RowProblem& of : kRowProblems) {
      const Problem problem = row_problem(of);
      for (const Considered& one : listed(problem, device)) look(problem, device, one.config);
    }
  }
  // Of a View in boxes of four rows.
  look(parse_problem("M=122880 N=64 K=64 A=bf16:view[((12,10240),64):((64,16384),1)] B=bf16:col "
                     "D=bf16:row"),
       device_preset("h200"),
       parse_config("tile=128x64x64 cluster=1x1 main_loop=warp_specialised pad=off"));
  CHECK(unfelt == unread);
}

// What is told of candidates goes up from the planned one: where it does not yet, the exceptions
// become fewer.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/exceptions_left.hpp"
#include "support/held_problems.hpp"
#include "support/problem_of.hpp"

namespace jute::test {
namespace {

/// How much less than the one ahead of it a line of the list is expected to take; 1: none does.
double lowest_step(const std::vector<Considered>& list) {
  double lowest = 1, before = 0;
  for (const Considered& one : shown(list)) {
    const double clocks = compared_clocks(one).value_or(before);
    if (before > 0) lowest = std::min(lowest, clocks / before);
    before = clocks;
  }
  return lowest;
}

void look_at(const std::string& name, const std::vector<Considered>& list,
             ExceptionsByName& descending, ExceptionsByName& negative) {
  if (const double step = lowest_step(list); step < 1) descending[name].add(step);
  if (decided_by(list).find(", is -") != std::string::npos) negative[name].add(1);
}

/// Is a word said where launches of the list differ, and there alone: of each idea that is shown,
/// and from the shortest launch to the longest?
bool tells_of_launches(const std::vector<Considered>& list) {
  const std::string words = launch_words(list);
  double least = 0, most = 0;
  bool are_told = true, is_first = true;
  for (const Considered& one : shown(list)) {
    if (!one.prediction) continue;
    const double launch = std::round(one.prediction->launch);
    least = is_first ? launch : std::min(least, launch);
    most = is_first ? launch : std::max(most, launch);
    is_first = false;
    are_told = are_told && words.find(one.idea) != std::string::npos;
  }
  if (least == most) return words.empty();
  const auto names = [&](double launch) {
    return words.find(" " + std::to_string(static_cast<Index>(launch)) + " ") != std::string::npos;
  };
  return are_told && names(least) && names(most);
}

/// Is what is told first what is planned?
bool is_planned(const Problem& problem, const DeviceInfo& device, const Config& config,
                const std::vector<Considered>& list) {
  const auto first = std::ranges::find(list, std::string(), &Considered::refused);
  return first != list.end() && gemm_step(make_plan(problem, device, first->config)) ==
                                    gemm_step(make_plan(problem, device, config));
}

struct Square {
  const char* chip;
  DType type;
  Index extent;
};
std::vector<Square> squares() {
  std::vector<Square> all{{"h200", DType::f64, 2048}};
  for (const char* chip : {"t4", "a100", "l40s", "h200", "b200", "rtx4090"})
    for (const DType type : {DType::bf16, DType::f32, DType::s8})
      for (const Index extent : {1024, 4096, 8192}) all.push_back({chip, type, extent});
  return all;
}

}  // namespace

TEST_CASE("lists of squares go up, but for exceptions that become fewer",
          "[plan][candidates][order]") {
  ExceptionsByName descending, negative;
  for (const auto& [chip, type, extent] : squares()) {
    const Problem problem = problem_of(extent, extent, extent, {type, usual_output_type(type)},
                                       {Order::row, Order::col});
    const std::vector<Considered> list = considered(problem, device_preset(chip));
    look_at(std::string(chip) + " " + std::string(name(type)) + " " + std::to_string(extent), list,
            descending, negative);
    CHECK(tells_of_launches(list));
  }
  CHECK(exceptions_beyond("descending_squares.txt", descending) == "");
  CHECK(exceptions_beyond("negative_squares.txt", negative) == "");
}

TEST_CASE("lists of all kinds of products begin with the plan and go up",
          "[plan][candidates][order][held]") {
  constexpr int kEvery = 60;
  ExceptionsByName descending, negative;
  for (const HeldKind& kind : held_kinds())
    for (int index = 0; index < kind.count; index += kEvery) {
      const HeldProblem held = held_problem(kind, index);
      if (held.parts.size() > 1 || !held.ranks.empty()) continue;
      INFO(kind.name << " " << index << " " << to_string(held));
      try {
        const DeviceInfo& device = device_preset(held.chip);
        const std::vector<Considered> list = considered(held.parts.front(), device, held.config);
        look_at(std::string(kind.name), list, descending, negative);
        CHECK(tells_of_launches(list));
        CHECK((held.parts.front().m_range ||
               is_planned(held.parts.front(), device, held.config, list)));
      } catch (const Exception&) {  // refused
      }
    }
  CHECK(exceptions_beyond("descending_lists.txt", descending) == "");
  CHECK(exceptions_beyond("negative_leads.txt", negative) == "");
}

}  // namespace jute::test

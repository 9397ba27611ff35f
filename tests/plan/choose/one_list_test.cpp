// Candidates of all families stand in one list, and a bound finds what the whole list has.
#include <jute/atom/catalogue.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/choose/families/ranked_list.hpp"
#include "plan/choose/planning.hpp"
#include "plan/values/kernel_problem.hpp"
#include "support/catch.hpp"
#include "support/kept_problems.hpp"

namespace jute::test {
namespace {

using plan::kNoLimit, plan::RankedCandidate, plan::RankedList;

std::string text_of(const RankedCandidate& one) { return to_string(one.candidate); }

/// Clocks of what a list has.
std::vector<double> clocks_of_list(RankedList list) {
  std::vector<double> clocks;
  for (const RankedCandidate& one : std::move(list).list()) clocks.push_back(one.clocks);
  return clocks;
}

/// Of candidates that are alike.
std::vector<RankedCandidate> taking(const std::vector<double>& clocks) {
  std::vector<RankedCandidate> rows;
  for (const double one : clocks) rows.push_back({one, {}});
  return rows;
}

}  // namespace

TEST_CASE("what is looked for within a bound is what the whole list has", "[plan][candidates]") {
  constexpr int kProblems = 12;
  const Catalogue catalogue;
  for (const char* chip : kKeptChips)
    for (const DType type : kKeptTypes)
      for (int i = 0; i < kProblems; ++i) {
        const plan::KernelProblem problem =
            plan::kernel_problem(completed(kept_problem(i, type)), Config{});
        const DeviceInfo& device = device_preset(chip);
        CAPTURE(chip, name(type), i);
        const std::vector<RankedCandidate> all =
            plan::candidates(problem, device, Config{}, catalogue).list;
        CHECK(std::ranges::is_sorted(all, {}, &RankedCandidate::clocks));
        const double least = all.front().clocks;
        CHECK(least > 0);
        for (const double limit : {kNoLimit, 1.5 * least, 1.001 * least}) {
          const std::vector<RankedCandidate> first =
              plan::candidates(problem, device, Config{}, catalogue, {.most = 1, .limit = limit})
                  .list;
          REQUIRE(first.size() == 1);
          CHECK(first.front().clocks == least);
          CHECK(text_of(first.front()) == text_of(all.front()));
        }
        CHECK(plan::candidates(problem, device, Config{}, catalogue, {.most = 1, .limit = least})
                  .list.empty());
      }
}

TEST_CASE("the first plan is that of the whole list, copies and all", "[plan][candidates]") {
  constexpr int kProblems = 24;
  const Catalogue catalogue;
  const Config config;
  for (const char* chip : kKeptChips)
    for (const DType type : kKeptTypes)
      for (int i = 0; i < kProblems; ++i) {
        const Problem problem = completed(kept_problem(i, type));
        const plan::Planning planning{problem, device_preset(chip), config, catalogue};
        CAPTURE(chip, name(type), i);
        const plan::Options first = plan::fastest(planning).options,
                            all = plan::options_for(planning);
        CHECK(text_of(first.candidates.front()) == text_of(all.candidates.front()));
        CHECK(first.candidates.front().clocks == all.candidates.front().clocks);
        CHECK(first.moves.has_value() == all.moves.has_value());
      }
}

TEST_CASE("a list keeps the first of what takes least", "[plan][candidates]") {
  RankedList list(3);
  CHECK(list.limit() == kNoLimit);
  for (RankedCandidate& one : taking({30, 10, 20})) list.add(one);
  CHECK(list.limit() == 30);
  RankedCandidate late{30, {}};
  late.candidate.atom.name = "late";
  list.add(late);  // of equals the first stays
  list.add({15, {}});
  CHECK(clocks_of_list(list) == std::vector<double>{10, 15, 20});
}

}  // namespace jute::test

// Many more distributions over several ranks than every change is held against.
#include <jute/launch/device_presets.hpp>

#include <array>

#include "dist/distributed_cases.hpp"
#include "ranks/ranks_case.hpp"
#include "support/catch.hpp"

namespace jute::test {
namespace {

/// What is asked for, by one of the ways beside each other where it has that.
DistributedPlan planned_somehow(DistributedProblem& asked, int number) {
  constexpr std::array kWays{OverlapChoice::none, OverlapChoice::chunks, OverlapChoice::one_shot,
                             OverlapChoice::fastest};
  asked.overlap = kWays[static_cast<std::size_t>(number) % kWays.size()];
  try {
    return make_plan(asked, device_preset("h200"));
  } catch (const Exception& exception) {
    if (exception.error().operand != "overlap") throw;
  }
  asked.overlap = OverlapChoice::fastest;
  return make_plan(asked, device_preset("h200"));
}

}  // namespace

TEST_CASE("1,000 random sums stored where they are added leave the bits of one rank",
          "[soak][ranks]") {
  constexpr int kCases = 1000, kOfEmulators = 100;
  int stored = 0;
  for (int first = 0; first < kCases; first += kOfEmulators) {
    std::mt19937 random(9100 + static_cast<unsigned>(first));
    const RanksOfEmulators emulators(8, {}, first % 200 == 0 ? Schedule::random : Schedule::late);
    for (int i = first; i < first + kOfEmulators; ++i) {
      DistributedProblem asked = random_distributed(random);
      put_types(asked.problem, i);
      if (rank_count(asked.mesh) > 8) continue;
      const std::string axis = asked.mesh.axes.front().name;
      const Dimension lines = asked.problem.d.order == Order::row ? Dimension::m : Dimension::n;
      asked.placements.d = Placement{};
      if (drawn(random, 0, 1) == 0) asked.placements.d.deals = {{lines, axis, 0}};
      asked.share = Share{{{Dimension::k, axis, 0}}};
      asked.overlap = OverlapChoice::store;
      DistributedPlan plan;
      try {
        plan = make_plan(asked, device_preset("h200"));
      } catch (const Exception& exception) {
        REQUIRE(exception.error().operand == "overlap");
        continue;
      }
      ++stored;
      INFO("case " << i << ": " << plan.problem);
      REQUIRE(leave_bits_of_one(emulators, plan, random));
    }
  }
  CHECK(stored > 300);
}

// Each hundred of these is a section with numbers of its own: `-c "the cases from 1800 on"` goes on
// there.
TEST_CASE("10,000 random distributions by every way and schedule leave the bits of one rank",
          "[soak][ranks]") {
  constexpr int kCases = 10000, kOfEmulators = 100;
  constexpr std::array kSchedules{Schedule::fixed, Schedule::late, Schedule::random};
  for (int first = 0; first < kCases; first += kOfEmulators)
    DYNAMIC_SECTION("the cases from " << first << " on") {
      std::mt19937 random(7100 + static_cast<unsigned>(first));
      const RanksOfEmulators emulators(
          9, {}, kSchedules[static_cast<std::size_t>(first / kOfEmulators) % kSchedules.size()]);
      for (int i = first; i < first + kOfEmulators; ++i) {
        DistributedProblem asked = random_distributed(random);
        put_types(asked.problem, i);
        asked.placements.d.sums.clear();
        // Summands as often as not: all of K over the first axis.
        if (drawn(random, 0, 1) == 0) {
          const std::string axis = asked.mesh.axes.front().name;
          std::erase_if(asked.placements.d.deals,
                        [&](const Deal& deal) { return deal.axis == axis; });
          asked.share = Share{{{Dimension::k, axis, 0}}};
        }
        const DistributedPlan plan = planned_somehow(asked, i);
        INFO("case " << i << ": " << plan.problem);
        REQUIRE(leave_bits_of_one(emulators, plan, random));
      }
    }
}

}  // namespace jute::test

// Ways of presenting a problem's operands: what each asks of a problem, and what it makes of it.
#include "plan/choose/ways/ways.hpp"

#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <set>
#include <string>

#include "plan/ask/groups.hpp"
#include "plan/choose/ways/open_wishes.hpp"
#include "support/catch.hpp"
#include "support/held_problems.hpp"

namespace jute::test {
namespace {

/// What of the held problems `look` sees that one kernel computes, with and without a wish for
/// carriers.
template <class Look>
void for_held(const Look& look) {
  constexpr int kEvery = 24;
  for (const HeldKind& kind : held_kinds())
    for (int index = 0; index < kind.count; index += kEvery) {
      const HeldProblem held = held_problem(kind, index);
      if (held.parts.size() > 1 || held.parts.front().m_range || !held.ranks.empty()) continue;
      INFO(kind.name << " " << index << " " << to_string(held));
      Problem whole;
      try {
        whole = completed(held.parts.front());
      } catch (const Exception&) {  // refused
        continue;
      }
      const DeviceInfo device = device_preset(held.chip);
      Config config = plan::for_groups(held.config, whole);
      look(plan::Given{whole, device, config});
      config.carry_a = Transfer::cp_async;
      look(plan::Given{whole, device, config});
    }
}

}  // namespace

TEST_CASE("a way that may not present a problem says which rule that breaks", "[plan][ways]") {
  std::set<std::string_view> told, open;
  for_held([&](const plan::Given& given) {
    int usual = 0;
    for (const plan::Way& way : plan::ways()) {
      const std::string_view rule = broken_rule(way, given);
      if (!rule.empty()) {
        CHECK(rule.find(" must ") != std::string_view::npos);
        told.insert(way.name);
        continue;
      }
      open.insert(way.name);
      const bool is_usual = way.name == "as it lies" || way.name == "by lists" ||
                            way.name == "split" || way.name == "carried, as wished";
      usual += is_usual ? 1 : 0;
    }
    CHECK(usual == 1);  // each problem has one that asks nothing of it
  });
  CHECK(open.size() == plan::ways().size());
  CHECK(told.size() == plan::ways().size());
}

TEST_CASE("what a way presents is the problem behind the moves that it names", "[plan][ways]") {
  std::set<std::string_view> read;
  for_held([&](const plan::Given& given) {
    for (const plan::Way& way : plan::ways()) {
      if (!broken_rule(way, given).empty()) continue;
      for (const plan::Presentation& one : way.read(given)) {
        read.insert(way.name);
        INFO(way.name);
        const bool is_moved = one.ahead || is_copy(one.kernel.c) || is_copy(one.kernel.d);
        CHECK((one.clocks > 0) == is_moved);
        CHECK((one.viewed + one.converted > 0 ? is_moved : true));
        const Index most = std::max(given.problem.m, given.problem.n);
        CHECK(std::max(one.kernel.m.value, one.kernel.n.value) <= most);
        if (!given.problem.groups) CHECK(one.kernel.k.value == given.problem.k);
      }
    }
  });
  CHECK(read.size() == plan::ways().size());
}

}  // namespace jute::test

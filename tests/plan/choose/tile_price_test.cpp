// Derivation may only raise a price, so that a tile's is a bound of its step's: where it is not
// yet, the exceptions become fewer.
#include <jute/atom/catalogue.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "plan/ask/groups.hpp"
#include "plan/choose/derived.hpp"
#include "plan/choose/planning.hpp"
#include "plan/choose/step_cost.hpp"
#include "support/catch.hpp"
#include "support/exceptions_left.hpp"
#include "support/held_problems.hpp"

namespace jute::test {
namespace {

constexpr double kSameClocks = 1e-9;

std::string family_of_step(const GemmStep& step) {
  constexpr std::array kFrames{"straight", "register_staged", "multistage", "warp_specialised"};
  std::string family = kFrames.at(static_cast<std::size_t>(step.schedule.main_loop));
  family += " " + std::string(name(step.mma.atom().form));
  return step.schedule.lanes_of_k != 0 ? family + ", lanes" : family;
}

/// What a step is expected to take, without the copies ahead of it.
std::optional<double> price_of_step(const GemmStep& step, const Problem& whole,
                                    const DeviceInfo& device) {
  const std::optional<Prediction> prediction = plan::predicted(step, whole, device);
  return prediction ? std::optional(prediction->clocks) : std::nullopt;
}

/// Of the first candidates of a problem each that is legal and takes less than its tile.
void add_prices(const HeldProblem& held, std::string_view kind, ExceptionsByName& lowered) {
  constexpr std::size_t kMostLooked = 4;
  const Catalogue catalogue;
  const DeviceInfo& device = device_preset(held.chip);
  const Problem whole = completed(held.parts.front());
  const Config config = plan::for_groups(held.config, whole);
  const plan::Planning planning{whole, device, config, catalogue};
  const plan::Options options = plan::options_for(planning);
  for (std::size_t i = 0; i < std::min(options.candidates.size(), kMostLooked); ++i) {
    const plan::RankedCandidate& ranked = options.candidates[i];
    const plan::Derived derived = plan::derived(planning, options, ranked.candidate);
    const auto* step = std::get_if<GemmStep>(&derived);
    if (step == nullptr) continue;
    const std::optional<double> price = price_of_step(*step, whole, device);
    if (price && *price < (1 - kSameClocks) * ranked.clocks)
      lowered[family_of_step(*step) + ", " + std::string(kind)].add(*price / ranked.clocks);
  }
}

}  // namespace

TEST_CASE("derivation only raises prices, but for exceptions that become fewer",
          "[plan][price][held]") {
  constexpr int kEvery = 12;
  ExceptionsByName lowered;
  for (const HeldKind& kind : held_kinds())
    for (int index = 0; index < kind.count; index += kEvery) {
      const HeldProblem held = held_problem(kind, index);
      if (held.parts.size() > 1 || held.parts.front().m_range || !held.ranks.empty()) continue;
      INFO(kind.name << " " << index << " " << to_string(held));
      try {
        add_prices(held, kind.name, lowered);
      } catch (const Exception&) {  // refused
      }
    }
  CHECK(exceptions_beyond("prices_lowered.txt", lowered) == "");
}

}  // namespace jute::test

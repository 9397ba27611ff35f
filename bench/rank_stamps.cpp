// Adds up what blocks do between their stamps.
#include "rank_stamps.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>
#include <variant>

namespace jute::bench {

DistributedPlan stamped(DistributedPlan plan) {
  for (DistributedStep& step : plan.steps)
    if (auto* product = std::get_if<ProductStep>(&step.body)) {
      plan.kernels.push_back(jute::stamped(plan.kernels[product->kernel]));
      product->kernel = plan.kernels.size() - 1;
    }
  return plan;
}

bool leaves_stamps(const Plan& kernel) {
  return std::ranges::any_of(kernel.steps, [](const Step& step) {
    const auto* product = std::get_if<GemmStep>(&step);
    return product != nullptr && is_stamped(*product);
  });
}

namespace {

constexpr std::array kPhases{std::pair("whole", &Phases::whole), std::pair("wait", &Phases::wait),
                             std::pair("longest wait", &Phases::longest_wait),
                             std::pair("multiply", &Phases::multiply),
                             std::pair("store", &Phases::store)};

double thousands(const StampLane::Stamp& from, const StampLane::Stamp& to) {
  constexpr double kThousand = 1e3;
  return static_cast<double>(to.clock - from.clock) / kThousand;
}

Phases phases_of(const StampLane& lane) {
  Phases own{.whole = thousands(lane.stamps.front(), lane.stamps.back())};
  for (std::size_t i = 1; i < lane.stamps.size(); ++i) {
    const double clocks = thousands(lane.stamps[i - 1], lane.stamps[i]);
    const Moment to = lane.stamps[i].moment;
    if (to == Moment::first_data) {
      own.wait += clocks;
      own.longest_wait = std::max(own.longest_wait, clocks);
    }
    if (to == Moment::multiplied) own.multiply += clocks;
    if (to == Moment::drained) own.store += clocks;
  }
  return own;
}

}  // namespace

std::vector<RolePhases> phases_of(const std::vector<StampLane>& lanes) {
  std::map<std::string, std::vector<Phases>> roles;
  for (const StampLane& lane : lanes) roles[lane.role].push_back(phases_of(lane));
  std::vector<RolePhases> result;
  for (auto& [role, blocks] : roles) {
    RolePhases phases{.role = role, .median = {}, .most = {}};
    for (const auto& [name, phase] : kPhases) {
      std::ranges::sort(blocks, {}, phase);
      phases.median.*phase = blocks[blocks.size() / 2].*phase;
      phases.most.*phase = blocks.back().*phase;
    }
    result.push_back(std::move(phases));
  }
  return result;
}

std::string to_string(const RolePhases& phases) {
  std::string text;
  for (const auto& [name, phase] : kPhases) {
    if (phase == &Phases::whole) continue;
    char line[96];
    std::snprintf(line, sizeof line, "%s%s %.1f (at most %.1f)", text.empty() ? "" : "; ", name,
                  phases.median.*phase, phases.most.*phase);
    text += line;
  }
  return text;
}

}  // namespace jute::bench

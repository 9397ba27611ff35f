#pragma once
// The candidates of planning, for people who ask why and for programs that try others.
#include <jute/base/export.hpp>
#include <jute/plan/cost/prediction.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// One way to compute a problem.
struct Considered {
  std::string text;    ///< `SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, …`
  Config config = {};  ///< the caller's with all that planning has chosen here
  std::string refused = {};  ///< the rule that keeps it from being planned; empty where none does
  std::optional<Prediction> prediction = {};  ///< of those that the cost model ranks
  std::string idea = {};  ///< its family and schedule: `wgmma by TMA, ping-pong of 2`
};
/// The clocks that planning compares; nothing of what no model ranks.
[[nodiscard]] inline std::optional<double> compared_clocks(const Considered& candidate) {
  if (!candidate.prediction) return std::nullopt;
  return candidate.prediction->clocks;
}

/// The candidates of planning for such a problem, in order of preference: the first legal one is
/// planned. A caller's choices of tile, layouts and stages override those of the candidate.
///   throws   illegal_problem; unknown_name: the caller's atom
[[nodiscard]] std::vector<Considered> considered(const Problem& problem, const DeviceInfo& device,
                                                 const Config& config = {},
                                                 const Catalogue& catalogue = {});

/// The model's expectation of the plan for its M alone; none where it ranks no such kernel.
[[nodiscard]] std::optional<Prediction> prediction_of(const Plan& plan);

/// Why the first legal one comes first: what is expected of it and of the next, and by what it
/// saves most; a sentence without its full stop.
[[nodiscard]] std::string why(const std::vector<Considered>& candidates);

/// The same for a reader in a hurry: the first one against the next of which something else is
/// expected.
[[nodiscard]] std::string comparison(const std::vector<Considered>& candidates);

/// Ten of them that are legal, fewest clocks first: of an idea no more than three ahead of others.
/// What no model ranks stands behind.
[[nodiscard]] std::vector<Considered> shown(const std::vector<Considered>& candidates);

/// The figure of the chip that decides between the first and the next other idea: by how much a
/// part of the clocks would have to be another for that to win, as a sentence without its full
/// stop; and that the model may be wrong by more than the lead, where it may. Empty where there is
/// no such candidate.
[[nodiscard]] std::string decided_by(const std::vector<Considered>& candidates);

/// Why the launch takes other clocks of some that are shown than of others: where blocks of each
/// idea begin. Empty where it takes all as long.
[[nodiscard]] std::string launch_words(const std::vector<Considered>& candidates);

/// `considered`, those that are shown; `refused`, the best idea of which no candidate is legal,
/// with its rule, if there is one; `why` the first that is legal is expected to be faster than the
/// second; `decided_by`; `launch`, where launches differ.
[[nodiscard]] Fields fields(const std::vector<Considered>& candidates);

}  // namespace jute

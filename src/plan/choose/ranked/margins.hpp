#pragma once
// What planning adds to the clocks of one family's model before it holds them against another's.
#include <string>
#include <vector>

#include "plan/values/candidates.hpp"

namespace jute::plan {

/// Clocks too much that are expected of straight tiles beside lines, whose model was fitted apart.
inline constexpr double kStraightTooMuch = 1900;
/// Of the clocks of lines, what staged kernels must stay below: few of these were timed beside
/// them.
inline constexpr double kStagedBesideLines = 0.9;

/// Of a list of candidates.
class Margins {
 public:
  explicit Margins(const std::vector<Candidate>& candidates);
  [[nodiscard]] double of(const Candidate& candidate) const;

 private:
  bool has_lines_;
};

/// The family and the schedule of a candidate: `wgmma by TMA, ping-pong of 2`.
[[nodiscard]] std::string idea_of(const Candidate& candidate);

}  // namespace jute::plan

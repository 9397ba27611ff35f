#pragma once
// What planning adds to the clocks of one family's model before it holds them against another's.
#include <string>
#include <vector>

#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Models of families were fitted apart, to kernels in rows of others or alone. The fastest of very
/// many ways to cut K is one of which too little is expected, more so than of few ways.
inline constexpr double kCutBesideGroups = 1.1;     ///< tiles that warps copy, beside a producer's
inline constexpr double kCutBesideProducer = 1.05;  ///< likewise of threads
inline constexpr double kStraightTooMuch = 1900;    ///< clocks of straight tiles, beside lines

/// Of a list of candidates.
class Margins {
 public:
  /// `problem` must outlive it.
  Margins(const std::vector<Candidate>& candidates, const KernelProblem& problem);
  /// Of a candidate of which so many clocks are expected.
  [[nodiscard]] double of(const Candidate& candidate, double clocks) const;

 private:
  const KernelProblem& problem_;
  bool has_warp_groups_, has_thread_groups_, has_lines_;
};

/// The family and the schedule of a candidate: `wgmma by TMA, 2 teams in turn`.
[[nodiscard]] std::string idea_of(const Candidate& candidate);

}  // namespace jute::plan

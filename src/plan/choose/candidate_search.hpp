#pragma once
// The search for a problem's candidates, in which nothing is looked for twice.
#include <optional>
#include <vector>

#include "plan/choose/candidates.hpp"
#include "plan/choose/staged_cost.hpp"
#include "plan/derive/moves.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The first candidates of a problem, so many as may be tried. What several questions need is found
/// when it is first asked for, and what none of the first needs is not looked for.
class CandidateSearch {
 public:
  /// All that is given must outlive the search.
  CandidateSearch(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                  const Catalogue& catalogue, size_t most);

  /// `most` of `candidates` at least, if there are as many.
  [[nodiscard]] std::vector<Candidate> candidates();
  /// Are the first of them kernels that load fragments straight from global memory? Those read rows
  /// wherever they begin.
  [[nodiscard]] bool prefers_straight() { return !straight().empty(); }
  /// Which rows that begin anywhere are worth a copy, although no warpgroup multiplies it?
  [[nodiscard]] Copies copies_for_warps();

 private:
  const std::vector<MmaAtom>& atoms();
  /// Do warpgroups multiply the types?
  bool has_wgmma();
  /// What straight kernels must beat.
  Others others();
  const std::vector<Candidate>& straight();
  void add_groups(std::vector<Candidate>& list);
  void add_of_stored(std::vector<Candidate>& list);
  void add_others(std::vector<Candidate>& list);
  /// Those that have a gate's accumulators beside what they gate, with tiles for that.
  void keep_gated(std::vector<Candidate>& list) const;
  void halve(Candidate& candidate) const;

  const KernelProblem& own_;  ///< as it is asked for
  const Config& own_config_;
  const KernelProblem problem_;  ///< of a gated product that of both halves, which tiles are for
  const DeviceInfo& device_;
  const Config config_;
  const Catalogue& catalogue_;
  size_t most_;
  BestStaged staged_;
  std::optional<std::vector<MmaAtom>> atoms_;
  std::optional<bool> has_wgmma_;
  std::optional<std::vector<Candidate>> straight_;
};

}  // namespace jute::plan

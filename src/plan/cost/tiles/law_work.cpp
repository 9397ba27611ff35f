// Asks each family that the law speaks of.
#include "plan/cost/tiles/law_work.hpp"

#include <variant>

#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/cost/tiles/work_problem.hpp"

namespace jute::plan {
namespace {

/// Of the families that there are amounts of.
class WorkLaw {
 public:
  WorkLaw(const WorkProblem& problem, const DeviceInfo& device)
      : problem_(problem_of(problem)), device_(device) {}

  std::optional<LawWork> operator()(const WarpTileWork& work) const {
    const FamilyLaw law = law_of_warps(work.transfer, problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const WarpGroupWork& work) const {
    const FamilyLaw law = law_of_warp_groups(problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const ThreadTileWork& work) const {
    const FamilyLaw law = law_of_threads(problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const ThreadGroupWork& work) const {
    const FamilyLaw law = law_of_thread_groups(problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const LaneTileWork& work) const {
    const FamilyLaw law = law_of_lanes(problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const DotWork& work) const {
    const FamilyLaw law = law_of_dots(problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const LineWork& work) const {
    const FamilyLaw law = law_of_lines(work.by_threads, problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  std::optional<LawWork> operator()(const StraightWork& work) const {
    if (work.stored.bits > 0) return std::nullopt;
    const FamilyLaw law = law_of_straight(work, problem_, device_);
    return LawWork{law, amounts_of(work, problem_, device_, law)};
  }
  template <class Other>
  std::optional<LawWork> operator()(const Other& /*has a model of its own, or none*/) const {
    return std::nullopt;
  }

 private:
  KernelProblem problem_;
  const DeviceInfo& device_;
};

}  // namespace

std::optional<LawWork> law_work(const Work& work, const DeviceInfo& device) {
  return std::visit(WorkLaw(work.problem, device), work.block);
}

}  // namespace jute::plan

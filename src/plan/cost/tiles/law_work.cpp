// The law of a step's family, and the amounts of its work.
#include "plan/cost/tiles/law_work.hpp"

#include <variant>

#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/cost/tiles/work_problem.hpp"

namespace jute::plan {
namespace {

/// Of a work that there are amounts of.
template <class Block>
std::optional<LawWork> law_of_block(const Block& block, const FamilyLaw& law,
                                    const KernelProblem& problem, const DeviceInfo& device) {
  if constexpr (requires { amounts_of(block, problem, device, law); })
    return LawWork{law, amounts_of(block, problem, device, law)};
  else
    return std::nullopt;  // it has a model of its own, or none
}

}  // namespace

std::optional<LawWork> law_work(const Work& work, const DeviceInfo& device) {
  const auto* straight = std::get_if<StraightWork>(&work.block);
  if (straight != nullptr && straight->stored.bits > 0) return std::nullopt;
  const KernelProblem problem = problem_of(work.problem);
  const MmaForm form =
      row_of(work.family).by == MultipliedBy::threads ? MmaForm::fma : MmaForm::mma;
  const FamilyLaw law = law_of(work.family, form, problem, device);
  return std::visit([&](const auto& block) { return law_of_block(block, law, problem, device); },
                    work.block);
}

}  // namespace jute::plan

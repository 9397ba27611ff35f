// Two models held against each other, and a table.
#include "plan/choose/ranked_rows.hpp"

#include "plan/ask/wish_rules.hpp"
#include "plan/choose/ranked/fastest.hpp"
#include "plan/choose/staged_cost.hpp"
#include "plan/shapes/thread_tiles.hpp"

namespace jute::plan {
namespace {

// clang-format off
constexpr ThreadTile kRowsOfDoubles{ 64,  64, 2, 2, 2,  8};
constexpr ThreadTile kOfOthers {128, 128, 4, 2, 2,  8};
constexpr ThreadTile kStaged   {128, 128, 4, 2, 2, 16, 3, Transfer::cp_async};
// clang-format on

bool may_be_groups(const KernelProblem& problem, const Config& config) {
  const bool is_wish = config.main_loop == MainLoop::warp_specialised;
  return (is_ranked(config) || is_wish) && !needs_copies(problem);
}

}  // namespace

std::vector<Candidate> ranked_thread_rows(const MmaAtom& atom, const KernelProblem& problem,
                                          const Config& config, BestStaged& staged, size_t most) {
  std::vector<RankedCandidate> list;
  if (may_be_groups(problem, config))
    for (const RankedTile& one : staged.groups()) list.push_back({one.clocks, {atom, one.tile}});
  // Problems share kernels of few tiles.
  if (is_ranked(config) && config.specialize != Specialize::generic)
    for (const RankedOf<ThreadTile>& one : staged.threads())
      list.push_back({one.clocks, {atom, one.tile}});
  return fastest_first(std::move(list), most);
}

std::vector<Candidate> thread_rows(const MmaAtom& atom, const KernelProblem& problem,
                                   const DeviceInfo& device) {
  std::vector<Candidate> rows;
  if (problem.accumulate == DType::f64) rows.push_back({atom, kRowsOfDoubles});
  rows.push_back({atom, kOfOthers});
  if (may_be_staged(problem, device)) rows.push_back({atom, kStaged});
  return rows;
}

}  // namespace jute::plan

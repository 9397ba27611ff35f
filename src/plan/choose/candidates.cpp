// The one list: what families offer, ranked by what each is expected to take.
#include "plan/choose/candidates.hpp"

#include <array>
#include <span>
#include <utility>

#include "plan/choose/families.hpp"
#include "plan/choose/instructions.hpp"
#include "plan/choose/wishes.hpp"

namespace jute::plan {
namespace {

using AddFamily = void (*)(Asked&, RankedList&);

/// In the order in which they are asked: what the first of them offer bounds what others look for.
constexpr auto kFamilyOffers = std::to_array<AddFamily>(
    {add_dot_products, add_lines, add_straight_tiles, add_thread_groups, add_thread_tiles,
     add_lane_tiles, add_warpgroups, add_warp_groups, add_warp_tiles, add_table_rows});
/// Those that copies of operands are made for.
constexpr auto kOffersOfCopies = std::to_array<AddFamily>(
    {add_thread_groups, add_warpgroups, add_warp_groups, add_warp_tiles, add_table_rows});

/// The caller's atom reads operands from shared memory, and nothing brings them there as it wants.
[[noreturn]] void refuse_atom(const KernelProblem& problem, const DeviceInfo& device, Config config,
                              const Catalogue& catalogue) {
  const std::string atom = *std::exchange(config.mma_atom, std::nullopt);
  throw Exception(
      {.code = ErrorCode::illegal_config,
       .operand = "mma_atom",
       .value = atom,
       .violated_rules = {"the atom must be one that kernels are generated for: a multiply-add of "
                          "one thread (fma), an mma.sync of whole warps (mma), or a wgmma that "
                          "reads both operands from shared memory (wgmma_ss), for which rows of A "
                          "and B must begin at multiples of 16 bytes"},
       .nearest_legal =
           candidates(problem, device, config, catalogue).front().candidate.atom.name});
}

/// Those that have a gate's accumulators beside what they gate, with tiles for that.
void keep_gated(std::vector<RankedCandidate>& list, const KernelProblem& own) {
  std::vector<RankedCandidate> able;
  for (RankedCandidate& one : list) {
    // That of a wgmma is as its instruction was chosen for.
    if (!is_wgmma(one.candidate.atom.form))
      one.candidate.tile =
          gated_tile(one.candidate.family, one.candidate.tile, one.candidate.atom.shape, own);
    const FamilyRow& row = row_of(one.candidate.family);
    if (own.gate->is_beside ? row.takes_halves : row.takes_pairs) able.push_back(one);
  }
  // Where none is able, the first one's refusal says why.
  if (!able.empty()) list = std::move(able);
}

}  // namespace

bool needs_groups(const Config& config, const Catalogue& catalogue) {
  if (config.main_loop) return *config.main_loop == MainLoop::warp_specialised;
  if (config.mma_atom) return is_wgmma(catalogue.mma(*config.mma_atom).form);
  return wishes_for_roles(config);
}

std::vector<Candidate> candidates_for(const Tile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device, const Config& config,
                                      const Catalogue& catalogue) {
  std::vector<Candidate> list;
  const GroupRow row{MmaForm::wgmma_ss, kWgmmaNeeds, tile};
  for (MmaAtom& atom : instructions_of(row, problem, device, config, catalogue))
    list.push_back({std::move(atom), Family::warpgroups, tile});
  return list;
}

std::vector<RankedCandidate> candidates(const KernelProblem& problem, const DeviceInfo& device,
                                        const Config& config, const Catalogue& catalogue,
                                        const Wanted& wanted) {
  Asked asked(problem, device, config, catalogue);
  // What some candidates cannot do is asked of all.
  const size_t most = has_wishes(config) || problem.gate ? kAllCandidates : wanted.most;
  const double limit = most == 1 ? wanted.limit : kNoLimit;
  RankedList ranked(most, limit);
  const std::span<const AddFamily> families =
      wanted.are_of_copies ? std::span<const AddFamily>(kOffersOfCopies) : kFamilyOffers;
  for (const AddFamily add : families) add(asked, ranked);
  std::vector<RankedCandidate> list = std::move(ranked).list();
  if (problem.gate) keep_gated(list, problem);
  if (list.empty() && limit == kNoLimit) refuse_atom(problem, device, config, catalogue);
  return with_wishes(std::move(list), asked.config);
}

}  // namespace jute::plan

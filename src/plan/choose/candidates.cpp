// The one list: what families offer, ranked by what each is expected to take.
#include "plan/choose/candidates.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>

#include <algorithm>
#include <utility>

#include "plan/choose/families/families.hpp"
#include "plan/choose/families/group_clocks.hpp"
#include "plan/choose/wishes.hpp"

namespace jute::plan {

namespace {

/// The caller's atom reads operands from shared memory, and nothing brings them there as it wants.
/// Where no other does what else is asked for, that is told.
Errors no_such_atom(const KernelProblem& problem, const DeviceInfo& device, Config config,
                    const Catalogue& catalogue) {
  const std::string atom = *std::exchange(config.mma_atom, std::nullopt);
  Offers open = candidates(problem, device, config, catalogue, {.most = 1});
  if (open.list.empty()) return std::move(open.broken);
  return {{.code = ErrorCode::illegal_config,
           .operand = "mma_atom",
           .value = atom,
           .violated_rules =
               {"the atom must be one that kernels are generated for: a multiply-add of one thread "
                "(fma), an mma.sync of whole warps (mma), or a wgmma that reads both operands from "
                "shared memory (wgmma_ss), for which rows of A and B must begin at multiples of 16 "
                "bytes"},
           .nearest_legal = open.list.front().candidate.atom.name}};
}

/// Keeps candidates that have a gate's accumulators beside what they gate, with tiles for that.
void keep_gated(std::vector<RankedCandidate>& list, const KernelProblem& own) {
  std::vector<RankedCandidate> able;
  for (RankedCandidate& one : list) {
    // That of a wgmma is as its instruction was chosen for.
    if (!is_wgmma(one.candidate.atom.form))
      one.candidate.tile =
          gated_tile(one.candidate.family, one.candidate.tile, one.candidate.atom.shape, own);
    const FamilyRow& row = row_of(one.candidate.family);
    const KernelMatrix& halves = own.gate->operand == Operand::a ? own.a : own.b;
    if (own.gate->is_beside ? row.takes_halves : carrier_of(row, halves).takes_pairs)
      able.push_back(one);
  }
  // Where none is able, the first one's refusal says why.
  if (!able.empty()) list = std::move(able);
}

bool comes_by_tma(const RankedCandidate& one) {
  return row_of(one.candidate.family).transfer == Transfer::tma;
}

/// Both operands, of what a producer fills stages with.
bool comes_by_maps(const KernelProblem& problem) {
  return problem.a.carry == Transfer::tma && problem.b.carry == Transfer::tma;
}

/// Do such kernels find what groups and tables name? Those to which TMA brings what only the
/// device's list has, operands or parts of K, make maps, and know what each tile has of K when it
/// begins.
bool finds_lists(const Candidate& candidate, const KernelProblem& problem, Arch arch) {
  const FamilyRow& row = row_of(candidate.family);
  const CarrierRow &a = carrier_of(row, problem.a), &b = carrier_of(row, problem.b);
  const bool finds_rows = (!problem.a.rows || a.finds_rows) && (!problem.b.rows || b.finds_rows) &&
                          (a.finds_rows || b.finds_rows);
  if (has_row_tables(problem) && !finds_rows) return false;
  const std::optional<KernelGroups>& groups = problem.groups;
  if (!groups || deals_tiles(groups)) return !groups || row.deals_groups;
  if (row.transfer == Transfer::tma && candidate.tile.ping_pong > 1) return false;
  if (row.transfer == Transfer::tma && comes_by_maps(problem))
    return provides(arch, ArchFeature::tensor_map_edits);
  return a.takes_parts_of_k && b.takes_parts_of_k;
}

Offers of_one_size(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                   const Catalogue& catalogue, const Wanted& wanted) {
  Asked asked(problem, device, config, catalogue);
  // All are asked for a thing that some candidates cannot do.
  const bool are_all =
      has_wishes(config) || problem.gate || problem.groups || has_row_tables(problem);
  const size_t most = are_all ? kAllCandidates : wanted.most;
  const double limit = are_all ? kNoLimit : wanted.limit;
  RankedList ranked(most, limit);
  // Who asks for copies has them for whatever kernel.
  const bool is_asked = wanted.readers == Readers::asynchronous && config.pad.value_or(false);
  const Readers readers = is_asked ? Readers::all : wanted.readers;
  add_families(asked, ranked, readers);
  std::vector<RankedCandidate> list = std::move(ranked).list();
  if (problem.gate) keep_gated(list, problem);
  if (list.empty() && readers != Readers::all) return {};
  if (list.empty() && limit == kNoLimit)
    return {{}, no_such_atom(problem, device, config, catalogue)};
  return with_wishes(std::move(list), asked.config);
}

/// Also tiles that are for larger groups, and all by what groups of several sizes take.
void add_for_more(std::vector<RankedCandidate>& list, const KernelProblem& problem,
                  const DeviceInfo& device, const Config& config, const Catalogue& catalogue) {
  if (problem.groups->along != GroupedAlong::m || config.tile) return;
  KernelProblem more = problem;
  more.m.value += ceil_div(more.m.value, Index{2});
  for (RankedCandidate& one : of_one_size(more, device, config, catalogue, {}).list) {
    const auto is_same = [&](const RankedCandidate& other) {
      return other.candidate.atom.name == one.candidate.atom.name &&
             to_string(other.candidate) == to_string(one.candidate);
    };
    if (comes_by_tma(one) && std::ranges::none_of(list, is_same))
      list.insert(list.begin(), std::move(one));
  }
  const auto end = std::stable_partition(list.begin(), list.end(), comes_by_tma);
  for (auto one = list.begin(); one != end; ++one)
    one->clocks = clocks_of_groups(one->candidate.tile, problem, device);
  std::ranges::stable_sort(list.begin(), end, {}, &RankedCandidate::clocks);
}

}  // namespace

Offers candidates(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                  const Catalogue& catalogue, const Wanted& wanted) {
  Offers offers = of_one_size(problem, device, config, catalogue, wanted);
  if (!problem.groups && !has_row_tables(problem)) return offers;
  std::vector<RankedCandidate>& list = offers.list;
  if (deals_tiles(problem.groups)) add_for_more(list, problem, device, config, catalogue);
  std::vector<RankedCandidate> able;
  for (const RankedCandidate& one : list)
    if (finds_lists(one.candidate, problem, device.arch)) able.push_back(one);
  // Where none is able, the first one's refusal says why.
  if (!able.empty()) list = std::move(able);
  return offers;
}

}  // namespace jute::plan

// Holds a step of groups to what its kernel is written for.
#include "plan/rules/group_rules.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/group_maps.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {
namespace {

/// Tiles of groups are dealt to blocks by their number.
void tiles_are_dealt(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  const auto need = [&](bool holds, const char* choice, std::string value, std::string rule,
                        const char* nearest) {
    if (!holds) errors.push_back(broken(choice, std::move(value), std::move(rule), nearest));
  };
  const bool is_specialised = schedule.main_loop == MainLoop::warp_specialised;
  need(!is_specialised || walks(schedule), "blocks", std::to_string(schedule.persistent_blocks),
       "blocks must walk over the tiles of groups, of which there are as many as the list says",
       "132");
  need(schedule.first_stages == FirstStages::after_barrier, "first_stages", "by_initialiser",
       "the first k-tiles of groups must wait for the list, which the whole block reads",
       "after_barrier");
  need(schedule.widths.empty() && !schedule.split_k_at_run_time && !schedule.is_generic,
       "specialize", "shared", "a kernel of groups must be made for its problem", "usual");
  const auto& drain = step.epilogue.drain;
  const bool may_be_boxes = has_parts_of_k(step.groups);  // tiles of which end where D does
  if (drain && !may_be_boxes && (drain->exit == SubtileExit::boxes || drain->c_atom))
    errors.push_back(broken("drain", "boxes",
                            "a tile in which a group ends must be stored by rows: a box of TMA "
                            "would write those of the next group",
                            "rows"));
}

void teams_do_not_pass(Errors& errors, const GemmStep& step) {
  if (step.schedule.ping_pong > 1)
    errors.push_back(broken("ping_pong", std::to_string(step.schedule.ping_pong),
                            "teams must not pass over each other's k-tiles where every group has "
                            "as many as its list says",
                            "1"));
}

/// Rules of a producer that makes its groups' maps.
void maps_can_be_made(Errors& errors, const GemmStep& step) {
  if (!provides(step.arch, ArchFeature::tensor_map_edits))
    errors.push_back(broken(
        "main_loop", "warp_specialised",
        base::format("operands that the device's list has, or parts of K, must be loaded by "
                     "threads on {}: to make maps of them needs {}",
                     to_string(step.arch), to_string(first_with(ArchFeature::tensor_map_edits))),
        "multistage"));
}

/// Where TMA finds the rows of what only the device's list has.
void operands_lie_for_maps(Errors& errors, const GemmStep& step) {
  constexpr int kUnit = 16;
  for (const auto& [operand, bytes] :
       {std::pair{"a", step.groups->alignment[0]}, std::pair{"b", step.groups->alignment[1]}})
    if (bytes < kUnit)
      errors.push_back(broken(base::format("align_{}", operand), std::to_string(bytes),
                              "operands that TMA brings must be promised to lie at, and to have "
                              "rows at, multiples of 16 bytes",
                              std::to_string(kUnit)));
}

/// Elements behind a group's part of K are the next one's, in both operands: zeros take its place.
void parts_end_inside(Errors& errors, const GemmStep& step) {
  if (is_carried(step, step.a) != is_carried(step, step.b))
    errors.push_back(broken(step.transposed == is_carried(step, step.a) ? "carry_a" : "carry_b",
                            "tma",
                            "groups along K end inside k-tiles: TMA must bring both operands, by "
                            "maps that end there, or the producer's warps must copy both",
                            "cp_async"));
  for (const auto& [operand, choice] :
       {std::pair{&step.a, step.transposed ? "carry_b" : "carry_a"},
        std::pair{&step.b, step.transposed ? "carry_a" : "carry_b"}})
    if (makes_maps(step) && operand->major == Major::k)
      errors.push_back(broken(choice, "tma",
                              "an operand of which TMA brings groups' parts of K must be "
                              "contiguous along M or N: its parts begin where its rows do, others "
                              "at any element, and TMA finds what lies at multiples of 16 bytes",
                              "cp_async"));
}

}  // namespace

Errors group_rules(const GemmStep& step) {
  Errors errors;
  if (!step.groups) return errors;
  const KernelSchedule& schedule = step.schedule;
  if (schedule.main_loop == MainLoop::straight)
    errors.push_back(broken("main_loop", "straight",
                            "groups need tiles in shared memory: the main loop must be "
                            "warp_specialised, multistage or register_staged",
                            "multistage"));
  const bool are_parts =
      has_parts_of_k(step.groups) && schedule.main_loop == MainLoop::warp_specialised;
  if (are_parts) parts_end_inside(errors, step);
  if (makes_maps(step)) maps_can_be_made(errors, step);
  if (makes_maps(step) && lists_operands(step.groups)) operands_lie_for_maps(errors, step);
  if (are_parts || makes_maps(step)) teams_do_not_pass(errors, step);
  // The order of sums must not follow from which groups there are.
  if (schedule.split_k > 1)
    errors.push_back(broken("split_k", std::to_string(schedule.split_k),
                            "a block must have all of its group's K", "1"));
  if (schedule.k_starts > 1)
    errors.push_back(broken("k_starts", std::to_string(schedule.k_starts),
                            "blocks must begin at their group's first k", "1"));
  if (const ClusterShape& cluster = schedule.cluster; blocks(cluster) > 1)
    errors.push_back(broken("cluster", base::format("{}x{}", cluster.m, cluster.n),
                            "blocks that walk over groups must each have tiles of their own",
                            "1x1"));
  if (errors.empty() && (deals_tiles(step.groups) || makes_maps(step)))
    tiles_are_dealt(errors, step);
  return errors;
}

}  // namespace jute::plan

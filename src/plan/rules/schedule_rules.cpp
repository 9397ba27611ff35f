// The rules of roles, clusters and grids, one small function each.
#include "plan/rules/schedule_rules.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/plan/values/carried_stages.hpp>

#include <algorithm>
#include <bit>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/block/edge_rows.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/operand/streams.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

constexpr int kLeastRegisters = 24, kMostRegisters = 256;

int threads_of(const KernelSchedule& schedule) {
  int warps = 0;
  for (const Role& role : schedule.roles) warps += role.warps;
  return kWarp * warps;
}

void hops_suit_main_loop(Errors& errors, const GemmStep& step) {
  const bool is_specialised = step.schedule.main_loop == MainLoop::warp_specialised;
  for (const auto& [name, operand] : {std::pair("a", &step.a), std::pair("b", &step.b)})
    if ((transfer_of(*operand) == Transfer::straight) != is_straight(step))
      errors.push_back(broken(base::format("{}.transfer", name),
                              is_straight(step) ? "staged" : "straight",
                              "a straight main loop must load fragments, any other tiles"));
    else if ((transfer_of(*operand) == Transfer::tma) != is_specialised &&
             !(is_carried(step, *operand) && row_of(step.family).takes_copies))
      errors.push_back(
          broken(base::format("{}.transfer", name), is_specialised ? "threads" : "tma",
                 "a warp-specialised main loop must load by TMA, or what wgmma reads by cp.async "
                 "of the producer's warps; any other by threads"));
  if (is_specialised && !provides(step.arch, ArchFeature::tma))
    errors.push_back(
        broken("main_loop", "warp_specialised",
               base::format("TMA needs {}, the target is {}",
                            to_string(first_with(ArchFeature::tma)), to_string(step.arch)),
               "multistage"));
}

void roles_make_block(Errors& errors, const GemmStep& step) {
  for (Error& miscounted : producer_warps_are_counted(producer_warps(step.schedule)))
    errors.push_back(std::move(miscounted));
  const int threads = threads_of(step.schedule);
  if (threads != step.threads)
    errors.push_back(broken(
        "roles", std::to_string(threads),
        base::format("the warps of all roles must make the block's {} threads", step.threads)));
  const int most = limits(step.arch).threads_per_block;
  if (threads > most)
    errors.push_back(
        broken("atom_layout", to_string(step.mma.atom_layout()),
               base::format("consumers and producer take {} threads, a block must have at most {}",
                            threads, most)));
}

/// setmaxnreg moves registers between groups of four warps, in units of eight.
void registers_are_shared_out(Errors& errors, const GemmStep& step) {
  Index all = 0;
  for (const Role& role : step.schedule.roles) {
    all += Index{kWarp} * role.warps * role.registers;
    if (role.registers == 0) continue;
    if (!provides(step.arch, ArchFeature::register_exchange))
      errors.push_back(broken(
          base::format("{}.registers", role.name), std::to_string(role.registers),
          base::format("roles that exchange registers need {}, the target is {}",
                       to_string(first_with(ArchFeature::register_exchange)), to_string(step.arch)),
          "0"));
    if (role.registers % kRegisterUnit != 0 || role.registers < kLeastRegisters ||
        role.registers > kMostRegisters || role.warps % kGroupWarps != 0)
      errors.push_back(broken(
          base::format("{}.registers", role.name), std::to_string(role.registers),
          base::format("a role of whole groups of four warps must have a multiple of {} registers "
                       "a thread, from {} to {}",
                       kRegisterUnit, kLeastRegisters, kMostRegisters),
          std::to_string(std::clamp(role.registers / kRegisterUnit * kRegisterUnit, kLeastRegisters,
                                    kMostRegisters))));
  }
  // A block begins with equally many registers for each thread.
  const Index threads = std::max(threads_of(step.schedule), kWarp);
  const Index of_block =
      limits(step.arch).registers_per_sm / std::max(step.schedule.blocks_per_sm, 1);
  const Index most = of_block / threads / kRegisterUnit * kRegisterUnit * threads;
  if (all > most)
    errors.push_back(
        broken("roles", std::to_string(all),
               base::format("all threads together must hold at most {} registers", most)));
}

void cluster_is_legal(Errors& errors, const GemmStep& step) {
  const ClusterShape& cluster = step.schedule.cluster;
  if (Errors miscounted = cluster_is_counted(cluster); !miscounted.empty())
    return errors.push_back(std::move(miscounted.front()));
  const std::string text = blocks_text(cluster);
  const Index blocks = jute::blocks(cluster);
  const bool is_specialised = step.schedule.main_loop == MainLoop::warp_specialised;
  if (blocks > 1 && !is_specialised)
    errors.push_back(broken("cluster", text,
                            "blocks of a cluster must share what a producer loads: the main loop "
                            "must be warp_specialised",
                            "1x1"));
  const auto is_power = [](int count) { return std::has_single_bit(static_cast<unsigned>(count)); };
  if (says_cluster(step.schedule) && !(is_power(cluster.m) && is_power(cluster.n)))
    errors.push_back(broken("cluster", text,
                            "clusters that a launch gives must have powers of two of blocks",
                            blocks_text({int(std::bit_floor(unsigned(cluster.m))),
                                         int(std::bit_floor(unsigned(cluster.n)))})));
  if (step.cluster != launched_cluster(step.schedule))
    errors.push_back(broken("cluster", text, "the launch must have the schedule's cluster"));
  const FirstStages first_stages = step.schedule.first_stages;
  if (blocks > 1 && first_stages != FirstStages::after_barrier)
    errors.push_back(broken(
        "first_stages", first_stages == FirstStages::prefetched ? "prefetched" : "by_initialiser",
        "blocks of a cluster must see each other's barriers before they load", "after_barrier"));
  if (says_cluster(step.schedule) && first_stages == FirstStages::prefetched)
    errors.push_back(broken("first_stages", "prefetched",
                            "a launch that gives clusters must leave prefetches out",
                            "by_initialiser"));
}

void batch_suits_main_loop(Errors& errors, const GemmStep& step) {
  if (is_batch_first(step.schedule) && !is_straight(step))
    errors.push_back(broken("matrices_per_block", std::to_string(step.schedule.matrices_per_block),
                            "blocks that have several matrices of a batch must load fragments "
                            "themselves: the main loop must be straight",
                            "0"));
}

void grid_walks(Errors& errors, const GemmStep& step) {
  const int blocks = step.schedule.persistent_blocks;
  const Index cluster = jute::blocks(step.schedule.cluster);
  if (blocks >= 0 && blocks % std::max<Index>(cluster, 1) == 0) return;
  errors.push_back(broken("blocks", std::to_string(blocks),
                          base::format("a grid must be whole clusters of {} blocks", cluster),
                          std::to_string(std::max<Index>(blocks / cluster, 1) * cluster)));
}

void hints_are_kept(Errors& errors, const GemmStep& step) {
  const ClusterShape& cluster = step.schedule.cluster;
  const auto judge = [&](const char* name, const OperandPlan& operand, int sharing) {
    if (tma_of(operand).hint != CacheHint::none &&
        (transfer_of(operand) != Transfer::tma || sharing > 1))
      errors.push_back(broken(name, "evict_first",
                              "a hint needs TMA loads for one block, not for those of a cluster",
                              "none"));
  };
  judge("a.hint", step.a, cluster.n);
  judge("b.hint", step.b, cluster.m);
}

void edges_are_left_out(Errors& errors, const GemmStep& step) {
  const auto judge = [&](const char* name, const OperandPlan& operand) {
    const int unit = edge_unit(step, operand);
    if (tma_of(operand).edge_unit == 0 || tma_of(operand).edge_unit == unit) return;
    errors.push_back(broken(
        name, std::to_string(tma_of(operand).edge_unit),
        base::format("rows past the edge must be zeros, or left out in multiples of {}: those "
                     "of whole pieces of D, or of whole boxes, where instructions read "
                     "stages themselves and no sums meet in the workspace",
                     unit),
        std::to_string(unit)));
  };
  judge("a.edge_unit", step.a);
  judge("b.edge_unit", step.b);
}

void teams_take_turns(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (Errors miscounted = ping_pong_is_counted(schedule.ping_pong); !miscounted.empty())
    return errors.push_back(std::move(miscounted.front()));
  if (schedule.ping_pong > 1 && (!walks(schedule) || schedule.split_k > 1))
    errors.push_back(broken(
        "ping_pong", std::to_string(schedule.ping_pong),
        "teams must have tiles to take turns with: blocks must walk over them, without slices",
        "1"));
}

/// How many slices there are says the third axis of a grid that walks along the first.
void shared_grid_walks(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (!schedule.is_generic || is_straight(step)) return;
  if (!walks(schedule) || schedule.reduction != SplitK::last_adds)
    errors.push_back(broken("is_generic", "true",
                            "a generic kernel must walk over its tiles, and the last block of a "
                            "tile must add its slices",
                            "false"));
}

/// Fragments of k-steps that are read together are multiplied together: by threads, which name each
/// of their registers.
void k_steps_are_shared_out(Errors& errors, const GemmStep& step) {
  const int at_once = step.schedule.k_steps_at_once;
  const bool is_by_threads =
      step.mma.atom().form == MmaForm::fma && step.schedule.main_loop == MainLoop::warp_specialised;
  const int most = is_by_threads ? step.tile.k : 1;
  if (at_once >= 1 && at_once <= most && step.tile.k % at_once == 0) return;
  errors.push_back(
      broken("k_steps_at_once", std::to_string(at_once),
             base::format("the k-steps that are read together must divide the {} of a stage, where "
                          "a producer feeds multiply-adds of threads, and be 1 elsewhere",
                          step.tile.k),
             "1"));
}

}  // namespace

Dim3 launched_cluster(const KernelSchedule& schedule) {
  const ClusterShape& cluster = schedule.cluster;
  if (walks(schedule) || schedule.main_loop != MainLoop::warp_specialised)
    return {blocks(cluster), 1, 1};
  return {cluster.m, cluster.n, reduces_in_cluster(schedule) ? schedule.split_k : 1};
}

int producer_warps(const KernelSchedule& schedule) {
  const auto producer = std::ranges::find(schedule.roles, "producer", &Role::name);
  return producer == schedule.roles.end() ? kGroupWarps : producer->warps;
}

Errors schedule_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors;
  hops_suit_main_loop(errors, step);
  cluster_is_legal(errors, step);
  if (!errors.empty()) return errors;
  roles_make_block(errors, step);
  registers_are_shared_out(errors, step);
  batch_suits_main_loop(errors, step);
  grid_walks(errors, step);
  teams_take_turns(errors, step);
  shared_grid_walks(errors, step);
  hints_are_kept(errors, step);
  edges_are_left_out(errors, step);
  k_steps_are_shared_out(errors, step);
  for (Error& error : k_start_rules(step)) errors.push_back(std::move(error));
  for (Error& error : slice_rules(step, device)) errors.push_back(std::move(error));
  return errors;
}

}  // namespace jute::plan

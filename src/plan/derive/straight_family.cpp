// Tile, warps and widths of the kernels without shared-memory operands.
#include "plan/derive/straight_family.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/law.hpp"
#include "plan/cost/straight_cost.hpp"
#include "plan/derive/addresses.hpp"
#include "plan/derive/block/signals.hpp"
#include "plan/derive/block/smem_map.hpp"
#include "plan/derive/block_of.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/store_order.hpp"
#include "plan/derive/drain/stores_together.hpp"
#include "plan/derive/operand/fragment_loads.hpp"
#include "plan/derive/parameters.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/tile_rules.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_form.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

void store_directly(GemmStep& step, const KernelProblem& problem) {
  EpiloguePlan& out = step.epilogue;
  set_way_out(out, Store::direct);
  const StoreOrder order = store_order(drained(step), step.tile);
  // Problems whose D takes pairs share their kernel with those whose D does not.
  const bool is_alone = step.schedule.is_generic || out.d_order != Order::row;
  const int together = is_alone ? 1 : elements_in(problem.d.access_bytes, problem.d.type);
  out.vector_elems = row_run(order, step.tile, together);
  set_accesses_beside_d(out, problem);
}

void follow_straight_schedule(GemmStep& step) {
  KernelSchedule& schedule = step.schedule;
  step.threads = static_cast<int>(size(step.mma)) * tiles_beside(schedule);
  schedule.main_loop = row_of(step.family).main_loop;
  schedule.roles = {{"worker", (step.threads + kWarp - 1) / kWarp}};
  schedule.products_in_flight = 0;
  schedule.unrolled_k_steps = 0;
  schedule.lanes_of_k = lanes_of_k(step);
  step.cluster = {};
  step.residency = Residency::any;
  step.order = provides(step.arch, ArchFeature::dependent_launches) ? LaunchOrder::overlap_previous
                                                                    : LaunchOrder::after_previous;
}

/// How threads load and store.
void set_straight_accesses(GemmStep& step, const KernelProblem& problem) {
  follow_straight_schedule(step);
  load_fragments(step, problem);
  store_directly(step, problem);
}

/// Sets what follows from that, and from what the schedule says.
void set_consequences(GemmStep& step, const KernelProblem& problem) {
  step.signals = signals(step);
  step.smem_map = smem_map(step);
  step.dynamic_smem_bytes = smem_end(step, Alive::epilogue);
  set_addresses(step);
  step.epilogue.stores_together = stores_together(step);
  step.symbol = base::format("jute_{}_{}_{}x{}x{}_straight", arch_text(step.arch),
                             name(step.a.type), step.tile.m, step.tile.n, step.tile.k);
  step.parameters = kernel_parameters(step, problem);
  step.grid = tile_grid(step);
}

/// The tile as the layout of atoms makes it, which may be the caller's.
Family direct_family(const GemmStep& step) {
  const bool by_threads = step.mma.atom().form == MmaForm::fma;
  if (operand_of_line_ends(step)) return by_threads ? Family::line_threads : Family::line_warps;
  if (step.schedule.lanes_of_k != 0) return Family::dot_products;
  return by_threads ? Family::lane_tiles : Family::straight_tiles;
}

/// Dot products, and whole chunks of lines.
bool reads_once(const GemmStep& step) {
  return step.schedule.lanes_of_k != 0 || operand_of_line_ends(step);
}

/// Is what such a step reads first asked for while the kernel ahead is at work? It must have come
/// before a kernel can let the next begin: little costs more than it saves. Much keeps memory busy
/// anyway.
bool straight_asks_ahead(const GemmStep& step) {
  constexpr double kLeastBytes = 24 << 10, kMostBytes = 8 << 20, kMostBehind = 2 << 20;
  const KernelSchedule& schedule = step.schedule;
  if (schedule.is_generic || is_batch_first(schedule)) return false;
  if (schedule.launches == Launches::alone) return false;
  if (reads_once(step)) return true;
  const double bytes = operand_bytes(step.m.value, step.n.value, step.k.value, step.batch.value,
                                     width_bytes(step.a.type));
  const bool is_behind = schedule.releases == Release::after_main_loop;
  return kLeastBytes <= bytes && bytes <= (is_behind ? kMostBehind : kMostBytes);
}

/// Has each warp threads of one tile alone, which wait for no others?
bool may_lie_beside(const GemmStep& step) {
  return size(step.mma) % kWarp == 0 && groups_of_k(step) == 1 && !operand_of_line_ends(step);
}

bool may_be_batch_first(const GemmStep& step) {
  return !step.groups && !step.schedule.is_generic && !gathers(step.epilogue) &&
         !packs_bits(step.epilogue);
}

int usual_matrices_per_block(const GemmStep& step, const DeviceInfo& device) {
  if (!may_be_batch_first(step) || step.schedule.stages > 1) return 0;
  const int matrices = matrices_of_block(static_cast<int>(size(step.mma)), step.tile, step.m.value,
                                         step.n.value, step.batch.value, device);
  return may_lie_beside(step) ? matrices : std::min(matrices, 1);
}

Grid grid_of_half(const GemmStep& step, const Block& block) {
  return jute::grid_of(block, step.m.value, step.n.value, step.k.value, step.batch.value);
}

int blocks_of_lines(const GemmStep& step, const DeviceInfo& device) {
  if (!operand_of_line_ends(step)) return 1;
  // Registers that no further block takes let a thread ask for more at once.
  const double blocks = tiles_of(step.tile, step.m.value, step.n.value, step.batch.value);
  const double of_sm = std::max(std::ceil(blocks / std::max(device.sm_count, 1)), 1.0);
  return static_cast<int>(
      std::min(resident_blocks(block_of_half(step, device), chip_rates(device)), of_sm));
}

/// How many blocks share an SM's registers: of stored elements two, which wait for memory in turns,
/// or as many as there are where stages have what they wait for.
int usual_blocks_per_sm(const GemmStep& step, const DeviceInfo& device) {
  constexpr int kInTurns = 2;
  const bool is_stored = step.a.stored || step.b.stored;
  if (!is_stored || step.mma.atom().form == MmaForm::fma) return blocks_of_lines(step, device);
  const Block block = block_of_half(step, device);
  const int blocks = stored_blocks(block, grid_of_half(step, block), chip_rates(device));
  return step.schedule.stages > 1 ? blocks : std::min(kInTurns, blocks);
}

/// The release that planning gives such a step.
Release usual_release(const GemmStep& step, const KernelProblem& problem,
                      const DeviceInfo& device) {
  const bool is_last = problem.launches == Launches::alone && !problem.is_followed;
  if (is_last || !provides(device.arch, ArchFeature::dependent_launches)) return Release::never;
  const auto by_loads = [&] {
    const Block block = block_of_half(step, device);
    return straight_release(block, grid_of_half(step, block), chip_rates(device));
  };
  const Release release = reads_once(step) ? Release::after_previous : by_loads();
  // Kernels that problems share hold the later of the early moments.
  const bool waits =
      problem.is_followed || (step.schedule.is_generic && release == Release::at_start);
  return waits ? Release::after_previous : release;
}

/// Who asks for the first k-tile of such a step.
FirstStages usual_first_stages(const GemmStep& step, const DeviceInfo& device) {
  const bool is_ahead =
      provides(device.arch, ArchFeature::dependent_launches) && straight_asks_ahead(step);
  return is_ahead ? FirstStages::prefetched : FirstStages::after_barrier;
}

}  // namespace

void complete_straight(GemmStep& step, const KernelProblem& problem) {
  set_straight_accesses(step, problem);
  set_consequences(step, problem);
}

Derived straight_step(const KernelProblem& problem, const Candidate& candidate,
                      const StraightForm& choice, const DeviceInfo& device, const Config& config) {
  for (const auto& [name, layout] :
       {std::pair("smem_a", &config.smem_a), std::pair("smem_b", &config.smem_b)})
    if (*layout)
      return Errors{broken(name, to_string(**layout),
                           "operands of a straight main loop must not lie in shared memory",
                           std::nullopt)};
  GemmStep step = step_for(problem, candidate.family, device, config);
  step.schedule.main_loop = row_of(candidate.family).main_loop;
  step.schedule.stages = config.stages.value_or(choice.stages);
  step.schedule.is_generic = config.specialize == Specialize::generic;
  for (OperandPlan* operand : {&step.a, &step.b}) set_transfer(*operand, Transfer::straight);
  step.mma = TiledMma(candidate.atom, config.atom_layout.value_or(choice.atoms),
                      config.permutation.value_or(choice.permutation));
  if (Errors errors = mma_rules(step); !errors.empty()) return errors;
  const ShapeMnk unit = tile_shape(step.mma);
  step.tile = config.tile.value_or(
      TileShape{unit.m * choice.repeat_m, unit.n * choice.repeat_n, unit.k * choice.k_steps});
  if (Errors errors = tile_rules(step, device); !errors.empty()) return errors;
  step.schedule.matrices_per_block =
      config.matrices_per_block.value_or(usual_matrices_per_block(step, device));
  set_straight_accesses(step, problem);
  step.family = direct_family(step);
  step.schedule.blocks_per_sm = usual_blocks_per_sm(step, device);
  step.schedule.releases = config.release ? *config.release : usual_release(step, problem, device);
  step.schedule.first_stages =
      config.first_stages ? *config.first_stages : usual_first_stages(step, device);
  set_consequences(step, problem);
  return step;
}
namespace {

void launches_overlap(Errors& errors, const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  const bool may_overlap = provides(step.arch, ArchFeature::dependent_launches);
  if (schedule.releases != Release::never && !may_overlap)
    errors.push_back(
        broken("release", "after_main_loop",
               base::format("an early release needs sm_90, the target is {}", to_string(step.arch)),
               "never"));
  if (schedule.first_stages == FirstStages::by_initialiser)
    errors.push_back(broken("first_stages", "by_initialiser",
                            "the threads of a straight main loop must ask for what they multiply: "
                            "there are no barriers that another could tell",
                            "after_barrier"));
  if (schedule.first_stages == FirstStages::prefetched && is_batch_first(schedule))
    errors.push_back(broken("first_stages", "prefetched",
                            "what is asked for beside the kernel ahead must be dealt out in a "
                            "grid whose third axis is the batch",
                            "after_barrier"));
  if (schedule.first_stages == FirstStages::prefetched && !may_overlap)
    errors.push_back(broken("first_stages", "prefetched",
                            base::format("what is asked for beside the kernel ahead needs sm_90, "
                                         "the target is {}",
                                         to_string(step.arch)),
                            "after_barrier"));
}

/// Threads bring by cp.async what they ask for themselves, and nobody else's lies beside it.
void rings_are_dealt(Errors& errors, const GemmStep& step) {
  constexpr int kLeastBits = 32;
  for (const OperandPlan* const operand : {&step.a, &step.b}) {
    if (!has_stored_ring(step.schedule, *operand)) continue;
    const int bits = operand->vector_elems * width_bits(operand->stored->type);
    if (bits < kLeastBits)
      errors.push_back(broken("stages", std::to_string(step.schedule.stages),
                              base::format("stages of a straight main loop must be filled by "
                                           "cp.async, of 4 bytes at least; accesses have {} bits",
                                           bits),
                              "1"));
    if (is_batch_first(step.schedule))
      errors.push_back(broken("matrices_per_block",
                              std::to_string(step.schedule.matrices_per_block),
                              "a block whose threads have stages must compute one tile of a grid "
                              "whose third axis is the batch",
                              "0"));
  }
}

void matrices_lie_beside(Errors& errors, const GemmStep& step) {
  const int matrices = step.schedule.matrices_per_block;
  const auto refuse = [&](std::string rule, int nearest) {
    errors.push_back(broken("matrices_per_block", std::to_string(matrices), std::move(rule),
                            std::to_string(nearest)));
  };
  if (matrices > 0 && !may_be_batch_first(step))
    refuse(
        "a batch along the grid's first axis must have no groups, no kernel that problems share "
        "and no outputs that the blocks of a matrix gather",
        0);
  else if (matrices > 1 && !may_lie_beside(step))
    refuse(
        "matrices side by side must each have whole warps, which share out no K among groups "
        "and leave nothing in shared memory",
        1);
}

}  // namespace

Errors straight_rules(const GemmStep& step) {
  Errors errors;
  if (!is_straight(step)) return errors;
  matrices_lie_beside(errors, step);
  rings_are_dealt(errors, step);
  const KernelSchedule& schedule = step.schedule;
  if (step.epilogue.store != Store::direct)
    errors.push_back(
        broken("epilogue.store", "staged", "a straight main loop must store directly", "direct"));
  if (schedule.is_generic && schedule.releases == Release::at_start)
    errors.push_back(broken("release", "at_start",
                            "a generic kernel must let the next begin when the launch says: behind "
                            "the main loops, or no earlier than when the one before has ended",
                            "after_previous"));
  if (schedule.is_generic && (step.n.baked || step.k.baked))
    errors.push_back(broken("is_generic", "true",
                            "a kernel that problems share must hold neither N nor K of one of them",
                            "false"));
  launches_overlap(errors, step);
  return errors;
}

}  // namespace jute::plan

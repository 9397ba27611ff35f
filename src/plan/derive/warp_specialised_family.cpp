// Tile, groups, stages, clusters and drains of the warp-specialised kernels.
#include "plan/derive/warp_specialised_family.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/values/carried_stages.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/addresses.hpp"
#include "plan/derive/block/co_resident_room.hpp"
#include "plan/derive/block/edge_rows.hpp"
#include "plan/derive/block/role_registers.hpp"
#include "plan/derive/block/signals.hpp"
#include "plan/derive/block/smem_fit.hpp"
#include "plan/derive/drain/landing.hpp"
#include "plan/derive/drain/slices.hpp"
#include "plan/derive/drain/staged_vectors.hpp"
#include "plan/derive/drain/store_order.hpp"
#include "plan/derive/drain/stores_together.hpp"
#include "plan/derive/drain/subtile_drain.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "plan/derive/operand/stage_layout.hpp"
#include "plan/derive/operand/streams.hpp"
#include "plan/derive/operand/swizzled_layout.hpp"
#include "plan/derive/parameters.hpp"
#include "plan/rules/epilogue_rules.hpp"
#include "plan/rules/mma_rules.hpp"
#include "plan/rules/schedule_rules.hpp"
#include "plan/rules/smem_rules.hpp"
#include "plan/rules/tile_rules.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/shapes/warpgroup_ways.hpp"
#include "plan/values/products.hpp"
#include "plan/values/promotion.hpp"
#include "plan/values/step_grid.hpp"
#include "plan/values/tile_counts.hpp"
#include "plan/values/tile_width.hpp"

namespace jute::plan {
namespace {

/// Operands that instructions do not read from shared memory themselves come by matrix or plain
/// loads.
void choose_feed(OperandPlan& operand, const GemmStep& step, Operand which,
                 const Catalogue& catalogue, Arch arch) {
  const MmaAtom& atom = step.mma.atom();
  if (atom.form != MmaForm::mma || !in_registers(register_of(atom, which))) return;
  const Fragment held = fragment(step.mma, which, multiplied(step));
  if (auto read = widest_matrix_read(CopyForm::ldmatrix, catalogue, arch, held,
                                     stage_of(operand).smem, operand.type))
    its_fragments(operand).atom = read->atom;
}

/// Columns of subtiles from which threads store rows, the fewer the turns the sooner: as many as
/// leave a block that walks stages to run ahead with; where it does not, subtiles lie where its
/// stages were.
Index columns_by_rows(const GemmStep& step, int most_smem) {
  constexpr Index kEnoughStages = 4, kFewStages = 3, kUsual = 136, kBarriers = 1024;
  const Index rows = Index{step.tile.m} * step.schedule.ping_pong;
  const Index row_bytes = rows * width_bytes(step.epilogue.d_type);
  if (!walks(step.schedule)) return most_smem / row_bytes;
  const Index stages =
      step.schedule.is_generic
          ? kEnoughStages
          : std::clamp(ceil_div(step.k.value, Index{step.tile.k}), kFewStages, kEnoughStages);
  const Index stage_bytes = stage_of(step.a).stage_stride_elems * width_bytes(staged_type(step.a)) +
                            stage_of(step.b).stage_stride_elems * width_bytes(staged_type(step.b));
  return std::max(kUsual, (most_smem - kBarriers - stages * stage_bytes) / row_bytes);
}

/// Columns of subtiles along M, one of each group, that lie beside enough stages.
Index columns_beside_stages(const GemmStep& step, int most_smem) {
  const MmaAtom& atom = step.mma.atom();
  const Index groups = size(step.mma) / threads(atom) * step.schedule.ping_pong;
  const Index rows = atom.shape.m * groups;
  return room_of_subtiles(step, most_smem) / (rows * width_bytes(step.epilogue.d_type));
}

/// TMA stores whole subtiles; rows that begin anywhere, or inside sectors, are stored by threads.
void choose_drain(GemmStep& step, const Tile& choice, const KernelProblem& problem,
                  const Catalogue& catalogue, int most_smem) {
  EpiloguePlan& out = step.epilogue;
  if (step.schedule.reduction == SplitK::all_add) return;     // each stores its part as it lies
  if (names(out.expression, EpilogueOp::block_amax)) return;  // each stores what it found of blocks
  if (out.c_view || out.d_view || out.d_rows) return;         // threads find each run, or row
  const Fragment c = fragment(step.mma, Operand::c, step.tile);
  std::optional<RowStores> by_rows;
  // Inside of tiles, where another group's begin; of rows alone boxes leave out the last.
  const bool ends_inside = step.groups && !has_parts_of_k(step.groups),
             ends_in_rows = ends_inside && step.groups->along != GroupedAlong::m;
  if (!out.d_boxed && (begins_anywhere(problem.d) || is_by_rows(choice, problem) || ends_in_rows))
    by_rows = {columns_by_rows(step, most_smem), begins_anywhere(problem.d)};
  const bool is_wide = width_bits(out.d_type) == 32;
  if (is_wide ? !is_direct(choice, problem) : out.compute == DType::f32)
    out.drain = subtile_drain(step, c, catalogue, by_rows, columns_beside_stages(step, most_smem));
  // Only who holds the sums of all slices takes C, and no turns that some launches leave out.
  if (out.drain && !begins_anywhere(problem.d) && !has_widths(step) && !step.groups &&
      !(step.schedule.is_generic && takes_split_k(step)))
    choose_landing(step, problem, c, catalogue);
}

/// Accesses to C and D, by the way that D takes.
void set_accesses(GemmStep& step, const KernelProblem& problem) {
  EpiloguePlan& out = step.epilogue;
  const Fragment c = fragment(step.mma, Operand::c, step.tile);
  const auto elements = [](const KernelMatrix& matrix) {
    return std::max(1, matrix.access_bytes / width_bytes(matrix.type));
  };
  const StoreOrder order =
      out.drain ? StoreOrder{Layout(size(c.tv[1])), c.tv} : store_order(c, step.tile);
  const int run = row_run(order, step.tile, elements(problem.d));
  set_way_out(out, out.drain ? Store::subtiles : Store::direct);
  const bool by_rows = out.drain && leaves_by_rows(*out.drain);
  const bool any_rows = by_rows && step.schedule.is_generic;  // which take D's rows as they begin
  out.vector_elems = any_rows ? 1 : out.drain ? elements(problem.d) : run;
  if (out.drain && out.drain->c_atom && !out.drain->input)
    out.c_vector_elems = elements(problem.c);
  else
    out.c_vector_elems = out.c_order == Order::row ? std::min(run, elements(problem.c)) : 1;
  set_operand_accesses(out, problem, run);
}

/// As many blocks as run together, but for a known M no more than the same number of rounds needs;
/// 0, a block for each tile, where all tiles run together. The grid of a generic kernel walks: a
/// block has one slice of one tile where there are slices.
int persistent_blocks(const GemmStep& step, const Tile& tile, const DeviceInfo& device) {
  const ClusterShape& cluster = step.schedule.cluster;
  const Index blocks = jute::blocks(cluster);
  const Index most =
      blocks_at_once(cluster, device) / std::max<Index>(blocks, 1) * tile.co_resident;
  const bool is_counted = step.tile.m > 0 && step.tile.n > 0 && cluster.m > 0 && cluster.n > 0;
  if (!is_counted || most < 1) return 0;  // what the rules refuse
  if (tile.width_at_run_time || step.groups) return static_cast<int>(most * blocks);
  const bool is_generic = step.schedule.is_generic;
  if (step.schedule.split_k > 1 && !is_generic) return 0;
  const Index m = ceil_div(step.m.value, Index{step.tile.m} * cluster.m);
  const Index n = ceil_div(step.n.value, Index{step.tile.n} * cluster.n);
  const Index clusters = std::max<Index>(m * n * step.batch.value, 1);
  if (clusters <= most && step.schedule.ping_pong == 1 && !is_generic) return 0;
  if (step.schedule.split_k > 1) return static_cast<int>(clusters * blocks);
  const Index rounds = tile.m_at_run_time ? 1 : ceil_div(clusters, most);
  return static_cast<int>(std::min(most, ceil_div(clusters, rounds)) * blocks);
}

/// No more than a block has k-tiles, where the kernel knows how many.
int useful_stages(const GemmStep& step, int most) {
  if (!step.k.baked || step.tile.k < 1 || walks(step.schedule)) return most;
  const Index k_tiles = ceil_div(step.k.value, Index{step.tile.k});
  return static_cast<int>(std::clamp<Index>(k_tiles, kLeastStages, most));
}

/// Who the block's threads are, and how it is launched.
void follow_schedule(GemmStep& step) {
  KernelSchedule& schedule = step.schedule;
  schedule.main_loop = row_of(step.family).main_loop;
  const int consumers =
      static_cast<int>(size(step.mma)) / 32 * std::clamp(schedule.ping_pong, 1, kMostPingPong);
  const int producers = producer_warps(schedule);
  const RoleRegisters registers =
      provides(step.arch, ArchFeature::register_exchange)
          ? role_registers(step, consumers, producers,
                           limits(step.arch).registers_per_sm / std::max(schedule.blocks_per_sm, 1))
          : RoleRegisters{};
  schedule.roles = {{"consumer", consumers, registers.consumer},
                    {"producer", producers, registers.producer}};
  schedule.unrolled_k_steps = 0;
  schedule.lanes_of_k = 0;
  schedule.products_in_flight = is_wgmma(step.mma.atom().form) ? 1 : 0;
  step.order = LaunchOrder::overlap_previous;
  step.residency = schedule.reduction == SplitK::all_add ? Residency::whole_grid : Residency::any;
  step.threads = 0;
  for (const Role& role : schedule.roles) step.threads += 32 * role.warps;
  step.cluster = launched_cluster(schedule);
}

/// Blocks of a cluster must see each other's barriers first; a launch may say what to fetch.
FirstStages suited(FirstStages wished, const KernelSchedule& schedule) {
  if (blocks(schedule.cluster) > 1) return FirstStages::after_barrier;
  const bool is_early = schedule.is_generic && wished == FirstStages::prefetched;
  return is_early ? FirstStages::by_initialiser : wished;
}

/// When the step behind may begin: of a launch alone there is none, unless it is this plan's.
/// Launches of kernels for many problems say for themselves.
Release usual_release(const KernelSchedule& schedule, const Tile& choice,
                      const KernelProblem& problem) {
  if (problem.is_followed) return Release::after_previous;
  const bool is_late = choice.width_at_run_time || choice.split_k_at_run_time;
  const bool is_said = schedule.launches == Launches::alone && !is_late && !schedule.is_generic;
  return is_said ? Release::never : choice.release;
}

void choose_schedule(GemmStep& step, const Tile& choice, const KernelProblem& problem,
                     const DeviceInfo& device, const Config& config) {
  KernelSchedule& schedule = step.schedule;
  schedule.ping_pong = config.ping_pong.value_or(choice.ping_pong);
  const int producer_warps = choice.co_resident > 1 ? 1 : kGroupWarps;  // which leaves others room
  schedule.roles = {{"producer", config.producer_warps.value_or(producer_warps)}};
  if (choice.width_at_run_time) schedule.widths = tile_widths(step.tile.m, step.tile.n);
  schedule.split_k_at_run_time = choice.split_k_at_run_time;
  // Tiles of a group that share columns of B follow each other, however many it has.
  constexpr int kOfGroup = 8;
  schedule.raster_width = config.raster_width.value_or(
      step.groups ? std::max(choice.raster_width, kOfGroup) : choice.raster_width);
  const bool is_copying = carries(step);
  schedule.cluster = config.cluster.value_or(is_copying ? ClusterShape{} : choice.cluster);
  const bool is_whole = config.blocks || schedule.ping_pong > 1;
  schedule.split_k = config.split_k.value_or(is_whole ? 1 : choice.split_k);
  schedule.whole_tiles = wished_whole_tiles(config, choice.whole_tiles);
  const bool is_chosen = schedule.split_k > 1 && schedule.split_k == choice.split_k;
  schedule.reduction = config.reduction.value_or(is_chosen ? choice.reduction : SplitK::last_adds);
  schedule.is_generic = config.specialize == Specialize::generic && config.blocks.value_or(1) > 0 &&
                        schedule.reduction == SplitK::last_adds;
  schedule.releases = config.release.value_or(usual_release(schedule, choice, problem));
  const bool lies_elsewhere = step.groups || step.gate;  // by the list, in halves
  schedule.first_stages = config.first_stages.value_or(lies_elsewhere || is_copying
                                                           ? FirstStages::after_barrier
                                                           : suited(choice.first_stages, schedule));
  schedule.persistent_blocks = config.blocks.value_or(persistent_blocks(step, choice, device));
  const int most = schedule.is_generic ? std::min(choice.stages, kGenericStages) : choice.stages;
  schedule.stages = config.stages.value_or(useful_stages(step, most));
  leave_half(step, choice, problem, device, config.stages.has_value());
  follow_schedule(step);
  schedule.k_starts =
      config.k_starts.value_or(step.groups || is_copying ? 1 : k_starts(step, device));
}

/// Deals out to the producer's warps what they copy.
void deal_out(GemmStep& step, const KernelProblem& problem) {
  const auto deal = [&](OperandPlan& operand, const KernelMatrix& matrix, Operand which, int mn) {
    if (is_carried(step, operand))
      deal_copies(operand, matrix, {mn, step.tile.k, has_halves(step, which) ? 2 : 1},
                  copying_threads(step));
  };
  deal(step.a, problem.a, Operand::a, step.tile.m);
  deal(step.b, problem.b, Operand::b, step.tile.n);
}

/// How wide threads read what they read of an operand's stages.
void follow_feed(OperandPlan& operand, const GemmStep& step, Operand which) {
  if (is_carried(step, operand)) return;
  operand.vector_elems = 16 / width_bytes(operand.type);
  set_transfer(operand, Transfer::tma);
  if (has_stored_boxes(operand))
    its_fragments(operand).elems = elements_of_read(operand.stored->type);
  else if (in_registers(register_of(step.mma.atom(), which)))
    set_reads(operand, fragment(step.mma, which, multiplied(step)), step.schedule.k_steps_at_once);
}

}  // namespace

void complete_specialised(GemmStep& step, const KernelProblem& problem) {
  follow_schedule(step);
  deal_out(step, problem);
  follow_feed(step.a, step, Operand::a);
  follow_feed(step.b, step, Operand::b);
  set_accesses(step, problem);
  step.epilogue.stores_together = stores_together(step);
  step.signals = signals(step);
  const std::string stages =
      says_cluster(step.schedule) ? "shared" : base::format("s{}", step.schedule.stages);
  step.symbol = base::format("jute_{}_{}_{}x{}x{}_{}", arch_text(step.arch), name(step.a.type),
                             step.tile.m, step.tile.n, step.tile.k, stages);
  step.parameters = kernel_parameters(step, problem);
  step.grid = grid_of_tiles(step);
}

namespace {

/// Threads that multiply by themselves have as many rows as columns four times over, and hold
/// neighbours where a read gives them neighbours.
TiledMma tiled_threads(const MmaAtom& atom, const KernelProblem& problem, const Tile& choice,
                       const Config& config) {
  const Layout threads =
      config.atom_layout.value_or(woven_threads(choice.groups_m, choice.groups_n));
  const auto along = [&](int mode, int extent, const KernelMatrix& matrix) {
    const int count = static_cast<int>(bounded_size(threads[mode].view(), extent));
    const int mine = std::max(1, extent / std::max(count, 1));
    const int vector =
        matrix.major == Major::mn ? std::gcd(mine, 16 / width_bytes(matrix.type)) : 1;
    return spread(count, vector, mine / vector);
  };
  const int m = config.tile ? config.tile->m : choice.m,
            n = config.tile ? config.tile->n : choice.n;
  return TiledMma(atom, threads,
                  config.permutation.value_or(
                      Tiler({along(0, m, problem.a), along(1, n, problem.b), Tiler::wildcard()})));
}

TiledMma tiled_mma(const MmaAtom& atom, const KernelProblem& problem, const Tile& choice,
                   const Config& config) {
  if (atom.form == MmaForm::fma) return tiled_threads(atom, problem, choice, config);
  return TiledMma(
      atom, config.atom_layout.value_or(Layout(IntTuple{choice.groups_m, choice.groups_n, 1})),
      config.permutation.value_or(Tiler("(_,_,_)")));
}

/// Threads read 16 bytes along K at once where an operand lies that way. (Where none does as many
/// k-steps are read together: the assembler then needs fewer moves.)
int k_steps_at_once(const GemmStep& step) {
  if (step.mma.atom().form != MmaForm::fma) return 1;
  return std::gcd(step.tile.k, 16 / std::max(width_bytes(step.a.type), width_bytes(step.b.type)));
}

/// Rows along M or N need no swizzle where threads read them: neighbours read neighbours.
ComposedLayout tma_layout(const GemmStep& step, Operand which) {
  const OperandPlan& operand = which == Operand::a ? step.a : step.b;
  const bool is_usual = step.mma.atom().form != MmaForm::fma || operand.major == Major::k;
  if (is_usual) return usual_tma_layout(step, which);
  const int tile_mn = which == Operand::a ? step.tile.m : step.tile.n;
  return staged(step, which, compact_layout(tile_mn, step.tile.k, operand.major));
}

void bring(OperandPlan& operand, const KernelMatrix& matrix) {
  set_transfer(operand, matrix.carry);
  if (matrix.carry == Transfer::tma) its_tma(operand).boxed = matrix.boxed;
}

/// Extents that a run may have beside the planned ones, and for which the kernel is made too.
EdgeRuns edge_runs(const GemmStep& step, const Tile& choice, const Config& config) {
  const bool is_any = config.specialize == Specialize::none;
  const bool is_m = choice.m_at_run_time;
  return {is_any || (is_m && !step.transposed), is_any || (is_m && step.transposed)};
}

}  // namespace

Derived warp_specialised_step(const KernelProblem& given, const Candidate& candidate,
                              const DeviceInfo& device, const Config& config,
                              const Catalogue& catalogue) {
  const Tile& choice = candidate.tile;
  const KernelProblem problem = choice.swapped ? transposed(given) : given;
  GemmStep step = step_for(problem, candidate.family, device, config);
  bring(step.a, problem.a);
  bring(step.b, problem.b);
  step.schedule.main_loop = row_of(candidate.family).main_loop;
  step.mma = tiled_mma(candidate.atom, problem, choice, config);
  if (Errors errors = mma_rules(step); !errors.empty()) return errors;
  const ShapeMnk unit = tile_shape(step.mma);
  const int row_k = within_blocks(problem, choice.k_bytes / width_bytes(problem.a.type));
  step.tile = config.tile.value_or(whole_units({choice.m, choice.n, row_k}, unit));
  if (is_wgmma(candidate.atom.form) || config.promote)
    step.promote_every_k = promotion(problem, config, step.tile.k);
  choose_schedule(step, choice, problem, device, config);
  step.schedule.k_steps_at_once = k_steps_at_once(step);
  Errors errors = tile_rules(step, device);
  if (errors.empty()) errors = schedule_rules(step, device);
  if (!errors.empty()) return errors;
  its_stage(step.a).smem = config.smem_a.value_or(tma_layout(step, Operand::a));
  its_stage(step.b).smem = config.smem_b.value_or(tma_layout(step, Operand::b));
  errors = smem_rules(step, device);
  if (!errors.empty()) return errors;
  its_stage(step.a).smem = with_terms(stage_of(step.a).smem, terms_of(step), step.a.type);
  its_stage(step.b).smem = with_terms(stage_of(step.b).smem, terms_of(step), step.b.type);
  choose_feed(step.a, step, Operand::a, catalogue, device.arch);
  choose_feed(step.b, step, Operand::b, catalogue, device.arch);
  its_stage(step.a).stage_stride_elems = stage_stride(stage_of(step.a).smem, staged_type(step.a));
  its_stage(step.b).stage_stride_elems = stage_stride(stage_of(step.b).smem, staged_type(step.b));
  choose_hints(step, device, config);
  deal_out(step, problem);
  const int most_smem = smem_for(step, problem, device);
  choose_drain(step, choice, problem, catalogue, most_smem);
  if (errors = drain_rules(step); !errors.empty()) return errors;
  stage_vectors(step);
  fit_subtiles(step, most_smem, config.stages.has_value());
  set_addresses(step);
  if (deals_tiles(step.groups) && !is_carried(step, step.a))
    its_tma(step.a).edge_unit = has_halves(step, Operand::a) ? 0 : edge_unit(step, step.a);
  else if (!step.gate && !step.groups)
    choose_edge_rows(step, problem, edge_runs(step, choice, config), config);
  complete_specialised(step, problem);
  keep_apart(step, device);
  if (has_widths(step)) widen_ring(step, most_smem);
  return step;
}

}  // namespace jute::plan

// Widths of tiles that launches choose from: what each takes, and what a kernel needs for them.
#include "plan/tile_widths.hpp"

#include <jute/plan/split.hpp>

#include <algorithm>
#include <limits>

#include "base/format.hpp"
#include "plan/bands.hpp"
#include "plan/cost_model.hpp"
#include "plan/dot_products.hpp"
#include "plan/line.hpp"
#include "plan/promotion.hpp"
#include "plan/signals.hpp"
#include "plan/smem_map.hpp"

namespace jute::plan {
namespace {

constexpr int kGroupRows = 64;
constexpr int kMostOfSlab = 64;    // columns
constexpr Index kRingUnit = 1024;  // bytes: of every swizzle's span a multiple
// Clocks from asking for a k-tile until it has come: with few stages nothing hides them.
constexpr double kUntilCome = 1950;

/// Does an epilogue go through slabs of which a launch may leave out those past its width?
bool drains_any_width(const KernelProblem& problem) {
  const auto is_along_m = [](const KernelOperand& input) {
    return input.by_value || input.extent == EpilogueExtent::scalar ||
           (input.extent == EpilogueExtent::rows && !input.is_bits);
  };
  const auto is_d = [](const KernelOperand& output) { return jute::is_d(output.name); };
  constexpr int kPieceBytes = 16;
  return problem.compute == DType::f32 && width_bits(problem.d.type) == 16 &&
         problem.d.major == Major::mn && problem.d.access_bytes == kPieceBytes && problem.m.baked &&
         problem.m.value % (kPieceBytes / 2) == 0 &&
         std::ranges::all_of(problem.inputs, is_along_m) &&
         std::ranges::all_of(problem.outputs, is_d);
}

/// A cost, where so many stages hide how long a k-tile takes to come.
WidthCost limited(Index width, const KernelCost& cost, int stages) {
  WidthCost result{width, cost};
  double& least = result.cost.feed->least;
  least = std::max(least, kUntilCome / stages);
  return result;
}

/// Columns of the widest tile that is of use: all of a short range, and whole slabs of the widest.
int widest_of_use(Index columns, int most) {
  const int unit = columns > kMostOfSlab ? kMostOfSlab : kUnitOfWidths;
  const Index all = ceil_div(columns, unit) * unit;
  return all < most ? static_cast<int>(all) : most / kUnitOfWidths * kUnitOfWidths;
}

int stages_in(Index ring_bytes, Index stage_bytes) {
  return static_cast<int>(std::min<Index>(ring_bytes / stage_bytes, kStagesOfWidths));
}

/// Of all stages; 0 where the step has none.
Index ring_bytes(const GemmStep& step) {
  if (std::ranges::find(step.smem_map, "b", &SmemRegion::name) == step.smem_map.end()) return 0;
  const SmemRegion &a = smem_region(step, "a"), &b = smem_region(step, "b");
  return b.offset + b.bytes - a.offset;
}

}  // namespace

std::vector<int> tile_widths(int rows, int widest) {
  std::vector<int> widths;
  const int half = widest / 2 / kUnitOfWidths * kUnitOfWidths;
  for (int width = rows > kGroupRows ? std::max(half, kUnitOfWidths) : kUnitOfWidths;
       width <= widest; width += kUnitOfWidths)
    widths.push_back(width);
  return widths;
}

int slab_of_widths(int widest) {
  int columns = kUnitOfWidths;
  for (int wider = columns; wider <= std::min(kMostOfSlab, widest); wider += kUnitOfWidths)
    if (widest % wider == 0) columns = wider;
  return columns;
}

std::vector<GroupTile> tiles_of_any_width(const KernelProblem& problem) {
  constexpr int kRasterOfAny = 16;
  std::vector<GroupTile> tiles;
  const bool is_seen_across = problem.transposed && problem.b.major == Major::k;
  if (!is_seen_across || !problem.products.empty() || promotion(problem, {}) > 0 ||
      !drains_any_width(problem) || problem.beta == Scale::one)
    return tiles;
  const bool is_plain = problem.beta == Scale::zero && problem.inputs.empty();
  for (const Band& band : bands_of(1)) {
    // With two rows of instructions a thread has registers left for nothing but sums.
    if (band.m > band.groups * kGroupRows && !is_plain) continue;
    tiles.push_back({.m = band.m,
                     .n = widest_of_use(problem.n.value, band.most_n),
                     .k_bytes = kLine,
                     .atoms_m = band.groups,
                     .atoms_n = 1,
                     .stages = kStagesOfWidths,
                     .cluster = {1, 1},
                     .first_stages = FirstStages::by_initialiser,
                     .raster_group = kRasterOfAny,
                     .swapped = true,
                     .any_m = true,
                     .any_width = true});
  }
  return tiles;
}

std::vector<WidthCost> width_costs(const GroupTile& tile, const KernelProblem& problem,
                                   const DeviceInfo& device) {
  std::vector<WidthCost> costs;
  // Beside the stages each group has its slabs, and the block its barriers.
  constexpr Index kBarriers = 1024;
  const Index slab = Index{kGroupRows} * slab_of_widths(tile.n) * width_bytes(problem.d.type);
  const Index ring =
      (device.smem_bytes_per_block - kBarriers - kSlabsOfWidths * slab * tile.atoms_m) / kRingUnit *
      kRingUnit;
  for (const int width : tile_widths(tile.m, tile.n)) {
    GroupTile narrow = tile;
    narrow.n = width;
    costs.push_back(limited(width, kernel_cost(narrow, problem, device),
                            stages_in(ring, Index{tile.m + width} * tile.k_bytes)));
  }
  return costs;
}

void widen_ring(GemmStep& step, int most_smem) {
  const Index more = (most_smem - step.dynamic_smem_bytes) / kRingUnit * kRingUnit;
  if (more <= 0) return;
  const Index end = smem_region(step, "b").offset + smem_region(step, "b").bytes;
  for (SmemRegion& region : step.smem_map) {
    if (region.name == "b") region.bytes += more;
    if (region.offset >= end) region.offset += more;
  }
  step.dynamic_smem_bytes += more;
}

Errors width_rules(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (schedule.widths.empty()) return {};
  Errors errors;
  const auto need = [&](bool holds, std::string rule) {
    if (!holds)
      errors.push_back(
          broken("widths", std::to_string(schedule.widths.size()), std::move(rule), "none"));
  };
  need(schedule.widths == tile_widths(step.tile.m, step.tile.n),
       base::format("widths must be the multiples of {} up to tile.n, from half of it on where a "
                    "tile has more than {} rows",
                    kUnitOfWidths, kGroupRows));
  const bool is_read_whole = step.a.descriptor && step.b.descriptor && step.b.boxes &&
                             step.b.major == Major::k && step.b.boxes->outer == step.tile.n &&
                             size(step.b.boxes->place) == 1;
  need(is_read_whole && step.products.empty() && step.promote_every_k == 0,
       "columns that a launch gives need a B along K of one box a stage, which instructions read "
       "there, whose sums are added once");
  need(step.tile.n == step.mma.atom().shape.n,
       "columns that a launch gives need instructions as wide as the tile");
  need(walks(schedule) && blocks(schedule.cluster) == 1 && schedule.teams == 1 &&
           schedule.slices == 1 && !schedule.is_shared,
       "columns that a launch gives need blocks that walk over tiles alone, without slices of K");
  const std::optional<SlabDrain>& drain = step.epilogue.drain;
  need(drain && drain->exit == SlabExit::boxes && !drain->c_atom && size(drain->boxes->place) == 1,
       "columns that a launch gives need slabs that TMA stores, a box each");
  if (!errors.empty()) return errors;
  const Index slabs =
      Index{drain->groups} * drain->turns * drain->stride_elems * width_bytes(step.epilogue.d_type);
  need(slabs <= ring_bytes(step),
       "columns that a launch gives need stages as large as all slabs of a tile");
  return errors;
}

}  // namespace jute::plan

namespace jute {

int stages_of_width(const GemmStep& step, Index width) {
  const Index ring = plan::ring_bytes(step);
  if (ring == 0) return step.schedule.stages;  // what the rules refuse
  const Index stage_a = step.a.stage_stride_elems * width_bytes(step.a.type);
  const Index row_b = Index{step.tile.k} * width_bytes(step.b.type);
  return plan::stages_in(ring, stage_a + width * row_b);
}

std::vector<MmaAtom> atoms_of_widths(const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (!has_widths(step)) return {atom};
  std::vector<MmaAtom> atoms;
  for (const int width : step.schedule.widths) {
    const MmaTypes types{step.a.type, step.b.type,  step.accumulate,
                         width,       atom.a_major, atom.b_major};
    atoms.push_back(Catalogue::built_in().mmas(atom.form, step.arch, types).front());
  }
  return atoms;
}

void set_width(RunValues& run, const GemmStep& step, Index width) {
  run.width = width;
  run.stages = stages_of_width(step, width);
}

std::vector<WidthCost> width_costs(const Plan& plan) {
  std::vector<WidthCost> costs;
  const GemmStep& step = gemm_step(plan);
  if (step.schedule.widths.empty()) {
    std::optional<KernelCost> cost = kernel_cost(plan);
    if (!cost) cost = plan::dot_cost(step, plan.device);
    if (cost) costs.push_back({0, *cost});
    return costs;
  }
  GemmStep narrow = step;
  for (const int width : step.schedule.widths) {
    narrow.tile.n = width;
    if (auto cost = plan::kernel_cost(plan, narrow, true))
      costs.push_back(plan::limited(width, *cost, stages_of_width(step, width)));
  }
  return costs;
}

WidthChoice best_width(const std::vector<WidthCost>& costs, Index m, Index batch) {
  WidthChoice best{0, costs.empty() ? 0 : std::numeric_limits<double>::infinity()};
  for (const WidthCost& one : costs)
    if (const double clocks = plan::outcome(one.cost, m, batch).clocks; clocks < best.clocks)
      best = {one.width, clocks};
  return best;
}

}  // namespace jute

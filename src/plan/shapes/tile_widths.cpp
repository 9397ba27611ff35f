// Widths of tiles and slices of K that launches choose from: what each takes, and what a kernel
// needs for them.
#include "plan/shapes/tile_widths.hpp"

#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "base/format.hpp"
#include "plan/chip/line.hpp"
#include "plan/cost/bands.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/cost/straight_cost.hpp"
#include "plan/derive/promotion.hpp"
#include "plan/derive/signals.hpp"
#include "plan/derive/smem_map.hpp"
#include "plan/run/parameters.hpp"

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
  const Index all = std::max<Index>(ceil_div(columns, unit), 1) * unit;
  return all < most ? static_cast<int>(all) : most / kUnitOfWidths * kUnitOfWidths;
}

/// What the tiles of a launch may be cut by.
struct Cuts {
  bool any_slices;
  const Extent& m;  ///< of the kernel: along which tiles have their rows
  const Extent& k;
  int width;  ///< of an element of A, bytes
};

/// Visits numbers of slices, each with k-tiles to fill some stages, as many as leave a tile's rows
/// place on the chip.
template <class Visit>
void for_cuts(const Cuts& cuts, Index tile_m, const DeviceInfo& device, const Visit& visit) {
  constexpr Index kLeastKTiles = 6;
  visit(1);
  if (!cuts.any_slices) return;
  const Index most = std::min(cuts.k.value * cuts.width / kLine / kLeastKTiles,
                              device.sm_count / ceil_div(std::max<Index>(cuts.m.value, 1), tile_m));
  for (int slices = 2; slices <= most; slices += std::max(1, slices / 4)) visit(slices);
}

/// Clocks that so many rounds take at least: cheap, to leave out what cannot be the best.
double least_of(const KernelCost& cost, double rounds) {
  constexpr double kLeastPower = 0.9;
  const Prediction& parts = cost.parts;
  const double k_block = std::max(parts.products, cost.feed ? cost.feed->least : 0.0);
  return parts.launch + parts.start +
         kLeastPower * rounds * (parts.k_blocks * k_block + parts.tile);
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
  if (!is_seen_across || !problem.products.empty() || usual_promotion(problem) > 0 ||
      !drains_any_width(problem) || c_read(problem.expression, problem.beta) == CRead::always)
    return tiles;
  const bool is_plain = c_read(problem.expression) == CRead::never && problem.inputs.empty();
  for (const Band& band : bands_of(1)) {
    // With two rows of instructions a thread has registers left for nothing but sums.
    if (band.m > band.groups * kGroupRows && !is_plain) continue;
    GroupTile tile{.m = band.m,
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
                   .any_width = true};
    tiles.push_back(tile);
    tile.any_slices = true;
    // Tiles of few rows are cut: there are many of them already where more rows pay.
    if (band.m <= kGroupRows) tiles.push_back(tile);
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
  const Cuts cuts{tile.any_slices, problem.m, problem.k, width_bytes(problem.a.type)};
  for_cuts(cuts, tile.m, device, [&](int slices) {
    for (const int width : tile_widths(tile.m, tile.n)) {
      GroupTile narrow = tile;
      narrow.n = width;
      narrow.slices = slices;
      costs.push_back(limited(width, kernel_cost(narrow, problem, device),
                              stages_in(ring, Index{tile.m + width} * tile.k_bytes)));
    }
  });
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
  Errors errors;
  if (schedule.widths.empty() && schedule.any_slices)
    errors.push_back(broken("any_slices", "true",
                            "slices that a launch gives need tiles whose columns it gives",
                            "false"));
  if (schedule.widths.empty()) return errors;
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
  need(!schedule.any_slices || (step.tile.m == kGroupRows && step.accumulate == DType::f32),
       base::format("slices that a launch gives need tiles of {} rows, and sums of f32",
                    kGroupRows));
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

void set_width(RunValues& run, const GemmStep& step, const WidthChoice& choice) {
  run.width = choice.width;
  run.stages = stages_of_width(step, choice.width);
  run.slices = choice.slices;
  if (run.slices <= 1) return;
  const Index most =
      step.schedule.persistent_blocks / std::max<Index>(1, plan::tiles(step).evaluate(run));
  if (run.slices > most)
    throw Exception({.code = ErrorCode::out_of_range,
                     .operand = "slices",
                     .value = std::to_string(run.slices),
                     .violated_rules = {"blocks of all slices must run together"},
                     .nearest_legal = std::to_string(std::max<Index>(most, 1))});
}

std::vector<WidthCost> width_costs(const Plan& plan) {
  std::vector<WidthCost> costs;
  const GemmStep& step = gemm_step(plan);
  if (step.schedule.widths.empty()) {
    std::optional<KernelCost> cost = kernel_cost(plan);
    if (!cost) cost = plan::streamed_cost(step, plan.device);
    if (cost) costs.push_back({0, *cost});
    return costs;
  }
  GemmStep narrow = step;
  const plan::Cuts cuts{step.schedule.any_slices, step.m, step.k, width_bytes(step.a.type)};
  plan::for_cuts(cuts, step.tile.m, plan.device, [&](int slices) {
    narrow.schedule.slices = slices;
    for (const int width : step.schedule.widths) {
      narrow.tile.n = width;
      if (auto cost = plan::kernel_cost(plan, narrow, true))
        costs.push_back(plan::limited(width, *cost, stages_of_width(step, width)));
    }
  });
  return costs;
}

namespace {

/// The best of the costs, by its place; the first where nothing is known.
size_t best_place(const std::vector<WidthCost>& costs, Index m, Index batch) {
  size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (size_t place = 0; place < costs.size(); ++place) {
    const auto& [width, cost] = costs[place];
    if (width > 0) {
      const double rounds = plan::rounds_of(cost.grid, m, batch).waves;
      if (cost.grid.slices > 1 && rounds > 1) continue;  // all slices of a tile run together
      if (plan::least_of(cost, rounds) >= least) continue;
    }
    const double clocks = plan::outcome(cost, m, batch).clocks;
    if (clocks < least) std::tie(best, least) = std::pair(place, clocks);
  }
  return best;
}

WidthChoice choice_of(const std::vector<WidthCost>& costs, size_t place, Index m, Index batch) {
  if (costs.empty()) return {};
  const auto& [width, cost] = costs[place];
  return {width, cost.grid.slices, plan::outcome(cost, m, batch).clocks};
}

constexpr size_t kRemembered = 256;  // values of M

}  // namespace

WidthChoice best_width(const std::vector<WidthCost>& costs, Index m, Index batch) {
  return choice_of(costs, best_place(costs, m, batch), m, batch);
}

/// Each holds an M and behind it, in its lowest bits, the place of what is best for it.
struct WidthChoices::Known {
  static constexpr int kPlaceBits = 16;
  static constexpr std::uint64_t kNothing = ~std::uint64_t{0};
  std::array<std::atomic<std::uint64_t>, kRemembered> places{};
  Known() {
    for (auto& place : places) place = kNothing;
  }
};

WidthChoices::WidthChoices(std::vector<WidthCost> costs, Index usual_batch)
    : costs_(std::move(costs)), usual_batch_(usual_batch), known_(std::make_shared<Known>()) {}

WidthChoice WidthChoices::best(Index m, Index batch) const {
  if (batch != usual_batch_) return best_width(costs_, m, batch);
  const auto rows = static_cast<std::uint64_t>(m);
  std::atomic<std::uint64_t>& known = known_->places[rows % kRemembered];
  std::uint64_t entry = known.load(std::memory_order_relaxed);
  if (entry >> Known::kPlaceBits != rows) {
    entry = rows << Known::kPlaceBits | best_place(costs_, m, batch);
    known.store(entry, std::memory_order_relaxed);
  }
  return choice_of(costs_, entry & ((1U << Known::kPlaceBits) - 1), m, batch);
}

}  // namespace jute

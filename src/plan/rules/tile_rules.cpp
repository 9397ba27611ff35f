// The rules of tiles and stages, one small function each.
#include "plan/rules/tile_rules.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>
#include <jute/plan/values/carried_stages.hpp>

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/operand/copy_plan.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/products.hpp"
#include "plan/values/promotion.hpp"

namespace jute::plan {

namespace {

/// Are fragments read a k-step ahead, from stages that all threads copy to?
bool reads_ahead(const GemmStep& step) {
  return transfer_of(step.a) == Transfer::cp_async &&
         row_of(step.family).transfer == Transfer::cp_async;
}

}  // namespace

ShapeMnk tile_unit(const GemmStep& step) {
  ShapeMnk unit = tile_shape(step.mma);
  // Fragments of one k-step are read while those of the step before are multiplied, from stage to
  // stage without a break: even steps use one set of registers, odd steps the other.
  if (reads_ahead(step)) unit.k = std::lcm(2 * step.mma.atom().shape.k * parts_of_k(step), unit.k);
  return unit;
}

std::string extents_text(const TileShape& tile) {
  return base::format("{}x{}x{}", tile.m, tile.n, tile.k);
}
namespace {

/// Bytes of one stage without padding.
Index stage_bytes(const GemmStep& step, const TileShape& of_d) {
  const TileShape tile = multiplied(of_d, step.gate);
  return (Index{tile.m} * width_bytes(step.a.type) + Index{tile.n} * width_bytes(step.b.type)) *
         tile.k * terms_of(step);
}

/// Registers of a thread: those that accumulate, those of one k-step's fragments, and pointers,
/// counters and copies on their way at least.
struct RegisterCount {
  Index accumulators, fragments;
  Index addresses = 24;
  Index most;
  [[nodiscard]] bool fits() const { return accumulators + fragments + addresses <= most; }
};

/// Registers of a thread that multiplies: all it can name where setmaxnreg gives it some, or else
/// its part of a quarter of an SM, which the warps of a block are dealt to in turn.
Index most_registers(const GemmStep& step) {
  const ArchLimits limit = limits(step.arch);
  Index of_roles = 0;
  for (const Role& role : step.schedule.roles) {
    if (role.registers > 0) return limit.registers_per_thread;
    of_roles += role.warps;
  }
  const Index threads = size(step.mma) * tiles_beside(step.schedule);
  const Index warps = std::max(of_roles, ceil_div(threads, Index{kWarp}));
  const Index blocks = std::max(step.schedule.blocks_per_sm, 1);
  return std::min<Index>(limit.registers_per_thread, limit.registers_per_sm / kQuarters / blocks /
                                                         (ceil_div(warps, kQuarters) * kWarp));
}

RegisterCount register_count(const GemmStep& step, const TileShape& of_d) {
  const TileShape tile = multiplied(of_d, step.gate);
  const auto words = [](Index values, DType type) { return (values * width_bits(type) + 31) / 32; };
  const MmaAtom& atom = step.mma.atom();
  const Layout& atoms = step.mma.atom_layout();
  const Index threads = size(step.mma);
  const auto held = [&](Operand operand, int extent, int of_atom, int mode) -> Index {
    if (!in_registers(register_of(atom, operand))) return 0;
    return extent / (of_atom * size(atoms[mode])) * values_per_thread(atom, operand) *
           step.schedule.k_steps_at_once;
  };
  const Index a = held(Operand::a, tile.m, atom.shape.m, 0);
  const Index b = held(Operand::b, tile.n, atom.shape.n, 1);
  // A straight main loop holds those of all k-steps.
  const int unit_k = tile_shape(step.mma).k;
  const Index k_steps = is_straight(step) ? std::max(1, tile.k / std::max(unit_k, 1)) : 1;
  return {
      .accumulators = words(Index{tile.m} * tile.n * parts_of_k(step) / threads, step.accumulate) +
                      promoted_registers(step, tile),
      .fragments = (words(a, step.a.type) + words(b, step.b.type)) * k_steps,
      .most = most_registers(step)};
}

/// May the threads share out the copying of the tile of an operand?
bool is_dealt(int tile_mn, int tile_k, Major major, Index threads) {
  return copy_layout(tile_mn, tile_k, major, 1, static_cast<int>(threads)).has_value();
}

bool is_dealt(const GemmStep& step, const TileShape& tile) {
  if (is_straight(step)) return true;
  const auto is_dealt_out = [&](const OperandPlan& operand, int tile_mn) {
    return transfer_of(operand) == Transfer::tma ||
           is_dealt(tile_mn, tile.k, operand.major, copying_threads(step));
  };
  return is_dealt_out(step.a, tile.m) && is_dealt_out(step.b, tile.n);
}

/// Smaller extents, half by half, until registers and shared memory hold the tile; then more k
/// until the threads share it out.
std::optional<std::string> nearest_tile(const GemmStep& step, const DeviceInfo& device) {
  const ShapeMnk unit = tile_unit(step);
  const auto whole = [](int extent, int of) {
    return static_cast<int>(nearest_multiple(std::clamp(extent, 0, kLargestExtent), of));
  };
  TileShape tile{whole(step.tile.m, unit.m), whole(step.tile.n, unit.n),
                 whole(step.tile.k, unit.k)};
  const auto halve = [](int& extent, int of) {
    if (extent <= of) return false;
    extent = static_cast<int>(ceil_div(extent / 2, of)) * of;
    return true;
  };
  const auto halve_sides = [&] {
    return tile.m > tile.n ? halve(tile.m, unit.m) || halve(tile.n, unit.n)
                           : halve(tile.n, unit.n) || halve(tile.m, unit.m);
  };
  const auto fits_memory = [&] {
    return is_straight(step) ||
           stage_bytes(step, tile) <= device.smem_bytes_per_block / kLeastStages;
  };
  while (!register_count(step, tile).fits())
    if (!(is_straight(step) && halve(tile.k, unit.k)) && !halve_sides()) return std::nullopt;
  while (!fits_memory())
    if (!halve(tile.k, unit.k) && !halve_sides()) return std::nullopt;
  while (!is_dealt(step, tile)) {
    tile.k += unit.k;
    if (!fits_memory()) return std::nullopt;
  }
  return extents_text(tile);
}

/// Main loops convert 8-bit floats with instructions that came with sm_89 (PTX ISA, cvt); epilogues
/// do by arithmetic what a chip has no instruction for.
void types_run_here(Errors& errors, const GemmStep& step) {
  const auto one = [&](const char* operand, DType type) {
    if (is_small_float(type) && !provides(step.arch, ArchFeature::small_floats))
      errors.push_back(broken(
          operand, std::string(name(type)),
          base::format("8-bit floats need sm_89, the target is {}", to_string(step.arch)), "f16"));
  };
  one("A.type", step.a.type);
  one("B.type", step.b.type);
}

/// Small enough for any TiledMma, if that is another tile.
std::optional<std::string> small_tile(const GemmStep& step, const DeviceInfo& device) {
  TileShape tile{std::min(step.tile.m, 64), std::min(step.tile.n, 64), std::min(step.tile.k, 64)};
  while (tile.k > 1 && stage_bytes(step, tile) > device.smem_bytes_per_block / kLeastStages)
    tile.k /= 2;
  return tile == step.tile ? std::nullopt : std::optional(extents_text(tile));
}

void tile_fits_chip(Errors& errors, const GemmStep& step, const DeviceInfo& device) {
  const TileShape& tile = step.tile;
  for (Error& error : tile_is_bounded(tile)) errors.push_back(std::move(error));
  const auto [least, most] = std::minmax({tile.m, tile.n, tile.k});
  if (least < 1 || most > kLargestExtent) return;
  const TileShape all = multiplied(step);
  const Index accumulators = Index{all.m} * all.n * width_bits(step.accumulate) / 32;
  const Index registers = limits(step.arch).registers_per_sm;
  if (accumulators > registers)
    errors.push_back(broken("tile", extents_text(tile),
                            base::format("the {} registers of a block must hold m*n accumulators "
                                         "({} registers)",
                                         registers, accumulators),
                            small_tile(step, device)));
  const Index bytes = stage_bytes(step, tile);
  if (!is_straight(step) && bytes > device.smem_bytes_per_block / kLeastStages)
    errors.push_back(
        broken("tile", extents_text(tile),
               base::format("the {} bytes of shared memory that a block of {} may have must hold "
                            "{} stages of {} bytes",
                            device.smem_bytes_per_block, device.name, kLeastStages, bytes),
               small_tile(step, device)));
}

void tile_is_multiple(Errors& errors, const GemmStep& step) {
  const ShapeMnk unit = tile_unit(step);
  const auto one = [&](char letter, int tile, int of, std::string_view why) {
    if (tile <= 0 || tile % of != 0)
      errors.push_back(
          broken(base::format("tile.{}", letter), std::to_string(tile),
                 base::format("tile.{0} must be a positive multiple of {1}, {2}", letter, of, why),
                 std::to_string(nearest_multiple(std::min(tile, kLargestExtent), of))));
  };
  one('m', step.tile.m, unit.m, "the TiledMma's m");
  one('n', step.tile.n, unit.n, "the TiledMma's n");
  one('k', step.tile.k, unit.k,
      reads_ahead(step) ? "an even number of k-steps" : "the TiledMma's k");
}

void tile_is_dealt(Errors& errors, const GemmStep& step, const DeviceInfo& device) {
  if (is_dealt(step, step.tile)) return;
  errors.push_back(broken(
      "tile", extents_text(step.tile),
      base::format("the {} threads must share out the copying of A's and of B's tile in equal runs",
                   copying_threads(step)),
      nearest_tile(step, device)));
}

void registers_fit(Errors& errors, const GemmStep& step, const DeviceInfo& device) {
  const RegisterCount count = register_count(step, step.tile);
  if (count.fits()) return;
  errors.push_back(
      broken("tile", extents_text(step.tile),
             base::format("a thread must hold {} accumulator and {} fragment registers and {} for "
                          "addresses in {}",
                          count.accumulators, count.fragments, count.addresses, count.most),
             nearest_tile(step, device)));
}

/// May a block have so many matrices of a batch side by side?
bool has_room_for(GemmStep step, int matrices) {
  step.schedule.matrices_per_block = matrices;
  return size(step.mma) * matrices <= limits(step.arch).threads_per_block &&
         register_count(step, step.tile).fits();
}

void matrices_fit(Errors& errors, const GemmStep& step) {
  const int matrices = step.schedule.matrices_per_block;
  int most = std::min(matrices, kMostMatricesPerBlock);
  while (most > 1 && !has_room_for(step, most)) --most;
  if (matrices <= 1 || most == matrices) return;
  errors.push_back(broken("matrices_per_block", std::to_string(matrices),
                          base::format("matrices side by side must have at most {} threads "
                                       "together, and registers for each of them",
                                       limits(step.arch).threads_per_block),
                          std::to_string(most)));
}

/// May stages have what threads of a straight main loop convert?
bool may_have_ring(const GemmStep& step) {
  return (step.a.stored || step.b.stored) && provides(step.arch, ArchFeature::async_copies);
}

void stages_are_in_range(Errors& errors, const GemmStep& step) {
  if (is_straight(step) && !may_have_ring(step)) {
    if (step.schedule.stages != 1)
      errors.push_back(broken("stages", std::to_string(step.schedule.stages),
                              "a straight main loop must hold one k-tile, in registers", "1"));
  } else if (is_straight(step) && step.schedule.stages == 1) {
    return;
  } else if (step.schedule.stages < kLeastStages || step.schedule.stages > kMostStages)
    errors.push_back(
        broken("stages", std::to_string(step.schedule.stages),
               base::format("stages must be from {} to {}", kLeastStages, kMostStages),
               std::to_string(std::clamp(step.schedule.stages, kLeastStages, kMostStages))));
}

void raster_is_in_range(Errors& errors, const GemmStep& step) {
  if (step.schedule.raster_width < 1 || step.schedule.raster_width > kMostRaster)
    errors.push_back(
        broken("raster_width", std::to_string(step.schedule.raster_width),
               base::format("raster_width must be from 1 to {} tiles", kMostRaster),
               std::to_string(std::clamp(step.schedule.raster_width, 1, kMostRaster))));
}

}  // namespace

Errors bound_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors;
  types_run_here(errors, step);
  tile_fits_chip(errors, step, device);
  stages_are_in_range(errors, step);
  raster_is_in_range(errors, step);
  return errors;
}

Errors tile_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors;
  tile_is_multiple(errors, step);
  for (Error& error : bound_rules(step, device)) errors.push_back(std::move(error));
  if (errors.empty()) matrices_fit(errors, step);
  if (errors.empty()) registers_fit(errors, step, device);
  if (errors.empty()) tile_is_dealt(errors, step, device);
  return errors;
}

}  // namespace jute::plan

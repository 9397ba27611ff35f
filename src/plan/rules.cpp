// The rules of plans, one small function each.
#include "plan/rules.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/layout/properties.hpp>

#include <algorithm>
#include <numeric>

#include "base/format.hpp"
#include "plan/addresses.hpp"
#include "plan/epilogue_rules.hpp"
#include "plan/fragment.hpp"

namespace jute::plan {
namespace {

Error broken(std::string operand, std::string value, std::string rule,
             std::optional<std::string> nearest = std::nullopt) {
  return {ErrorCode::illegal_config,
          std::move(operand),
          std::move(value),
          {std::move(rule)},
          std::move(nearest),
          std::nullopt,
          {}};
}

Index nearest_multiple(Index value, Index unit) {
  return std::max(unit, (value + unit / 2) / unit * unit);
}

using Errors = std::vector<Error>;

void tile_is_multiple(Errors& errors, const GemmStep& step) {
  const ShapeMnk unit = tile_shape(step.mma);
  const auto one = [&](const char* what, int tile, int of, const std::string& why) {
    if (tile <= 0 || tile % of != 0)
      errors.push_back(broken(base::format("tile.{}", what), std::to_string(tile),
                              base::format("tile.{} is a positive multiple of {}", what, why),
                              std::to_string(nearest_multiple(tile, of))));
  };
  one("m", step.tile.m, unit.m, base::format("the TiledMma's m ({})", unit.m));
  one("n", step.tile.n, unit.n, base::format("the TiledMma's n ({})", unit.n));
  if (step.a.transfer != Transfer::cp_async)
    return one("k", step.tile.k, unit.k, base::format("the TiledMma's k ({})", unit.k));
  // Fragments of one k-step are read while those of the step before are multiplied, from stage to
  // stage without a break: even steps use one set of registers, odd steps the other.
  const int steps = std::lcm(2 * step.mma.atom().shape.k, unit.k);
  one("k", step.tile.k, steps, base::format("{}, an even number of k-steps", steps));
}

void stages_are_in_range(Errors& errors, const GemmStep& step) {
  const int least = 2, most = 16;
  if (step.stages < least || step.stages > most)
    errors.push_back(broken("stages", std::to_string(step.stages),
                            base::format("there are {} to {} stages", least, most),
                            std::to_string(std::clamp(step.stages, least, most))));
}

void raster_is_positive(Errors& errors, const GemmStep& step) {
  if (step.raster_group < 1 || step.raster_group > 1024)
    errors.push_back(broken("raster_group", std::to_string(step.raster_group),
                            "a raster group has 1 to 1024 tiles",
                            std::to_string(std::clamp(step.raster_group, 1, 1024))));
}

/// The smallest offset before the swizzle, which leaves signs alone.
Index least_offset(const ComposedLayout& smem) {
  const std::vector<Index> shape = smem.layout().flat_shape();
  const std::vector<Index> stride = smem.layout().flat_stride();
  Index least = smem.offset();
  for (size_t mode = 0; mode < shape.size(); ++mode)
    least += std::min<Index>(0, stride[mode]) * (shape[mode] - 1);
  return least;
}

void smem_covers_tile(Errors& errors, const char* operand, const ComposedLayout& smem, int tile_mn,
                      int tile_k) {
  const Layout& layout = smem.layout();
  if (layout.rank() != 2 || size(layout[0]) != tile_mn || size(layout[1]) != tile_k) {
    errors.push_back(broken(
        operand, to_string(smem),
        base::format("a shared-memory layout has the shape ({},{}) of its tile", tile_mn, tile_k)));
    return;
  }
  if (least_offset(smem) < 0)
    errors.push_back(broken(operand, to_string(smem), "offsets are not negative"));
  if (!is_injective(smem))
    errors.push_back(
        broken(operand, to_string(smem), "no two elements of the tile share an offset"));
}

void threads_fit(Errors& errors, const GemmStep& step) {
  const int most = limits(step.arch).threads_per_block;
  const Index threads = size(step.mma);
  if (threads % 32 != 0 || threads < 32 || threads > most)
    errors.push_back(
        broken("threads", std::to_string(threads),
               base::format("a block has whole warps and at most {} threads", most),
               std::to_string(std::clamp<Index>(nearest_multiple(threads, 32), 32, most))));
}

void smem_fits(Errors& errors, const GemmStep& step, const DeviceInfo& device) {
  if (step.dynamic_smem_bytes <= device.smem_bytes_per_block) return;
  const Index stage = (step.smem_a_bytes + step.smem_b_bytes) / step.stages;
  errors.push_back(
      broken("stages", std::to_string(step.stages),
             base::format("{} stages of {} bytes fit the {} bytes of shared memory that a "
                          "block of {} may have",
                          step.stages, stage, device.smem_bytes_per_block, device.name),
             std::to_string(device.smem_bytes_per_block / std::max<Index>(stage, 1))));
}

void registers_fit(Errors& errors, const GemmStep& step) {
  const Fragment a = fragment(step.mma, Operand::a, step.tile);
  const Fragment b = fragment(step.mma, Operand::b, step.tile);
  const Fragment c = fragment(step.mma, Operand::c, step.tile);
  const auto words = [](int values, DType type) { return (values * width_bits(type) + 31) / 32; };
  const int accumulators = words(c.values * c.repeats * c.steps, step.accumulate);
  const int fragments =
      words(a.values * a.repeats, step.a.type) + words(b.values * b.repeats, step.b.type);
  const int most = std::min(limits(step.arch).registers_per_thread,
                            limits(step.arch).registers_per_sm / step.threads);
  const int addresses = 24;  // pointers, counters, staged copies at least
  if (accumulators + fragments + addresses > most)
    errors.push_back(
        broken("tile", base::format("{}x{}x{}", step.tile.m, step.tile.n, step.tile.k),
               base::format("{} accumulator and {} fragment registers and {} for addresses "
                            "fit the {} of a thread",
                            accumulators, fragments, addresses, most)));
}

void stage_keeps_swizzle(Errors& errors, const char* operand, const OperandPlan& plan) {
  const Index span = swizzle_span(plan.smem.swizzle());
  if (plan.stage_stride_elems % span != 0)
    errors.push_back(
        broken(base::format("{}.stage_stride", operand), std::to_string(plan.stage_stride_elems),
               base::format("a stage is a multiple of the swizzle's span ({} elements)", span),
               std::to_string(nearest_multiple(plan.stage_stride_elems, span))));
}

void atom_runs_here(Errors& errors, const GemmStep& step) {
  const MmaAtom& atom = step.mma.atom();
  if (!provides(step.arch, atom.arch))
    errors.push_back(broken("mma_atom", atom.name,
                            base::format("{} runs the atom, which needs {}", to_string(step.arch),
                                         to_string(atom.arch))));
  const auto type_is = [&](const char* operand, const ValueType& of_atom, DType wanted) {
    if (of_atom.dtype != wanted)
      errors.push_back(broken("mma_atom", atom.name,
                              base::format("the atom's {} type ({}) is the problem's ({})", operand,
                                           of_atom.name, name(wanted))));
  };
  type_is("A", atom.a_type, step.a.type);
  type_is("B", atom.b_type, step.b.type);
  type_is("accumulator", atom.c_type, step.accumulate);
}

/// Kernels convert 8-bit floats with instructions that came with sm_89 (PTX ISA, cvt).
void types_run_here(Errors& errors, const GemmStep& step) {
  const auto one = [&](const char* operand, DType type) {
    const bool is_small_float = type == DType::e4m3 || type == DType::e5m2;
    if (is_small_float && step.arch.number < 89)
      errors.push_back(broken(
          operand, std::string(name(type)),
          base::format("{} has 8-bit floats, which came with sm_89", to_string(step.arch)), "f16"));
  };
  one("A.type", step.a.type);
  one("B.type", step.b.type);
}

}  // namespace

std::vector<Error> tile_rules(const GemmStep& step) {
  Errors errors;
  types_run_here(errors, step);
  atom_runs_here(errors, step);
  tile_is_multiple(errors, step);
  stages_are_in_range(errors, step);
  raster_is_positive(errors, step);
  threads_fit(errors, step);
  return errors;
}

std::vector<Error> smem_rules(const GemmStep& step) {
  Errors errors;
  smem_covers_tile(errors, "smem_a", step.a.smem, step.tile.m, step.tile.k);
  smem_covers_tile(errors, "smem_b", step.b.smem, step.tile.n, step.tile.k);
  return errors;
}

std::vector<Error> step_rules(const GemmStep& step, const DeviceInfo& device) {
  Errors errors = tile_rules(step);
  if (errors.empty()) errors = smem_rules(step);
  if (!errors.empty()) return errors;
  stage_keeps_swizzle(errors, "smem_a", step.a);
  stage_keeps_swizzle(errors, "smem_b", step.b);
  smem_fits(errors, step, device);
  registers_fit(errors, step);
  for (Error& error : address_rules(step)) errors.push_back(std::move(error));
  for (Error& error : epilogue_rules(step.epilogue)) errors.push_back(std::move(error));
  return errors;
}

void refuse_if_any(const std::vector<Error>& errors) {
  if (errors.empty()) return;
  Error all = errors.front();
  for (size_t i = 1; i < errors.size(); ++i) {
    const Error& error = errors[i];
    std::string rule =
        base::format("{} = {}: {}", error.operand, error.value, joined(error.violated_rules, "; "));
    if (error.nearest_legal) rule += base::format(" (nearest legal: {})", *error.nearest_legal);
    all.violated_rules.push_back(std::move(rule));
  }
  throw Exception(all);
}

}  // namespace jute::plan

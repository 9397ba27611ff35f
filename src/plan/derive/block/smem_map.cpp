// Places regions of shared memory and judges their places.
#include "plan/derive/block/smem_map.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/promoted_sums.hpp>
#include <jute/plan/values/shares.hpp>
#include <jute/plan/values/stored_stages.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/format.hpp"
#include "plan/chip/line.hpp"
#include "plan/derive/drain/gathers.hpp"
#include "plan/derive/drain/staged_vectors.hpp"
#include "plan/values/block_threads.hpp"

namespace jute {
namespace plan {
namespace {

Index multiple(Index value, Index unit) { return (value + unit - 1) / unit * unit; }

constexpr int kBarrierBytes = 8, kTmaAlignment = 128;

/// The alignment of a region that TMA writes or reads.
Index region_alignment(const ComposedLayout& smem, DType type) {
  return std::max<Index>(swizzle_span(smem.swizzle()) * width_bytes(type), kTmaAlignment);
}

/// All stages of an operand, or of those that have it as it is stored the places of what it
/// becomes. Absolute addresses swizzle as offsets do where the region starts at a multiple of the
/// swizzle's span.
SmemRegion stages_of(const char* name, const OperandPlan& operand, int all_stages, bool walks) {
  const Index width = width_bytes(staged_type(operand));
  const int stages = has_stored_stages(operand) ? kConvertedStages : all_stages;
  return {.name = name,
          .bytes = stage_of(operand).stage_stride_elems * width * stages,
          .alignment =
              transfer_of(operand) == Transfer::tma
                  ? region_alignment(stage_of(operand).smem, staged_type(operand))
                  : std::max<Index>(swizzle_span(stage_of(operand).smem.swizzle()) * width, 16),
          .copies = stages,
          .alive = walks ? Alive::whole_kernel : Alive::main_loop};
}

/// Stages of what each thread converts. Of straight main loops threads that are done leave their
/// sums while others go on.
std::vector<SmemRegion> stored_stages(const GemmStep& step) {
  std::vector<SmemRegion> regions;
  for (const auto& [name, operand] :
       {std::pair("stored_a", &step.a), std::pair("stored_b", &step.b)}) {
    const bool is_ring = has_stored_ring(step.schedule, *operand);
    if (is_ring || has_stored_stages(*operand))
      regions.push_back({.name = name,
                         .bytes = stored_stage_bytes(*operand) * step.schedule.stages,
                         .alignment = 16,
                         .copies = step.schedule.stages,
                         .alive = is_ring ? Alive::whole_kernel : Alive::main_loop});
  }
  return regions;
}

/// Sums that groups of threads that share out K leave for the first of them.
std::vector<SmemRegion> sums(const GemmStep& step) {
  const int groups = groups_of_k(step);
  // By lines every group leaves its own; else the first adds to what it has.
  const std::optional<Operand> lines = operand_of_line_ends(step);
  const int copies = lines ? groups : groups - 1;
  if (copies == 0) return {};
  const TileShape all = multiplied(step);
  Index of_group = Index{all.m} * all.n * (parts_of_k(step) / groups);
  if (lines) {
    const bool is_a = *lines == Operand::a;
    of_group = Index{is_a ? step.tile.n : step.tile.m} *
               pitch_of_lines(is_a ? step.tile.m : step.tile.n,
                              elements_of_chunk((is_a ? step.a : step.b).type));
  }
  return {{.name = "sums",
           .bytes = copies * of_group * width_bytes(step.accumulate),
           .alignment = 16,
           .copies = copies,
           .alive = Alive::epilogue}};
}

/// Tables of every group, and behind the last: how many tiles lie ahead of its own, and where its
/// part ends; of a list of rows where it begins, too, and behind the last a sum over the block.
/// Maps lie ahead of them; tiles of parts of K need no table.
SmemRegion tables_of(const KernelGroups& groups) {
  constexpr int kEntryBytes = 4;
  if (lists_operands(groups) || has_parts_of_k(groups))
    return {.name = "groups",
            .bytes = kMapsOfGroup * kMadeMapBytes +
                     (has_parts_of_k(groups) ? 0 : Index{kEntryBytes} * (groups.count + 1)),
            .alignment = kMadeMapBytes,
            .alive = Alive::whole_kernel};
  const int tables = groups.entry == GroupEntry::row ? 3 : 2;
  return {.name = "groups",
          .bytes = Index{tables} * kEntryBytes * (groups.count + 1),
          .alignment = 16,
          .alive = Alive::whole_kernel};
}

/// Sums lie first, and beside stages in which some threads are not done.
std::vector<SmemRegion> needed_straight(const GemmStep& step) {
  std::vector<SmemRegion> regions = sums(step);
  for (SmemRegion& region : stored_stages(step)) regions.push_back(std::move(region));
  return regions;
}

/// The regions that the step's layouts ask for; offsets are left at 0.
std::vector<SmemRegion> needed(const GemmStep& step) {
  if (is_straight(step)) return needed_straight(step);
  // A producer that has more tiles to come is ahead of the drain: its stages are never idle.
  const bool walks = jute::walks(step.schedule);
  std::vector<SmemRegion> regions{stages_of("a", step.a, step.schedule.stages, walks),
                                  stages_of("b", step.b, step.schedule.stages, walks)};
  for (SmemRegion& region : stored_stages(step)) regions.push_back(std::move(region));
  if (const Index scales = staged_scales(step, step.a) + staged_scales(step, step.b); scales > 0)
    regions.push_back({.name = "scales",
                       .bytes = scales * width_bytes(DType::f32) * step.schedule.stages,
                       .alignment = width_bytes(DType::f32),
                       .copies = step.schedule.stages,
                       .alive = walks ? Alive::whole_kernel : Alive::main_loop});
  const EpiloguePlan& out = step.epilogue;
  if (out.drain)
    regions.push_back({.name = "subtile",
                       .bytes = out.drain->stride_elems * width_bytes(out.d_type) *
                                out.drain->copies * out.drain->groups * step.schedule.ping_pong,
                       .alignment = region_alignment(out.drain->subtile, out.d_type),
                       .copies = out.drain->copies * out.drain->groups * step.schedule.ping_pong,
                       .alive = walks || out.drain->apart ? Alive::whole_kernel : Alive::epilogue});
  if (reduces_in_cluster(step.schedule))
    regions.push_back({.name = "parts",
                       .bytes = Index{step.tile.m} * step.tile.n * width_bytes(step.accumulate),
                       .alignment = 16,
                       .copies = shares(step),
                       .alive = Alive::epilogue});
  const int groups = consumer_groups(step) * step.schedule.ping_pong;
  if (const Index bytes = vector_bytes(step); bytes > 0)
    regions.push_back({.name = "vectors",
                       .bytes = bytes * groups,
                       .alignment = 16,
                       .copies = groups,
                       .alive = Alive::whole_kernel});
  if (const Index bytes = block_bytes(step); bytes > 0)
    regions.push_back({.name = "blocks",
                       .bytes = bytes,
                       .alignment = 16,
                       .alive = walks ? Alive::whole_kernel : Alive::epilogue});
  for (const Signal& signal : step.signals)
    if (signal.kind == SignalKind::mbarrier)
      regions.push_back({.name = signal.name,
                         .bytes = Index{kBarrierBytes} * signal.copies,
                         .alignment = kBarrierBytes,
                         .copies = signal.copies,
                         .alive = Alive::whole_kernel});
  // Where a launch says how many stages there are, all else lies ahead of them.
  if (says_cluster(step.schedule)) {
    for (SmemRegion* region : {&regions[0], &regions[1]}) region->alignment = kStagesAlignment;
    std::rotate(regions.begin(), regions.begin() + 2, regions.end());
  }
  for (SmemRegion& region : sums(step)) regions.push_back(std::move(region));
  if (deals_tiles(step.groups) || makes_maps(step)) regions.push_back(tables_of(*step.groups));
  if (out.store == Store::staged_rows)
    regions.push_back({.name = "rows",
                       .bytes = cosize(out.stage) * width_bytes(step.accumulate),
                       .alignment = 16,
                       .alive = Alive::epilogue});
  return regions;
}

constexpr std::array kAliveText{"main loop", "epilogue", "whole kernel"};

bool meet(const SmemRegion& one, const SmemRegion& other) {
  const bool together = one.alive == other.alive || one.alive == Alive::whole_kernel ||
                        other.alive == Alive::whole_kernel;
  return together && one.offset < other.offset + other.bytes &&
         other.offset < one.offset + one.bytes;
}

Error broken_region(const SmemRegion& region, Index value, std::string rule, Index nearest) {
  return {.code = ErrorCode::illegal_config,
          .operand = "smem." + region.name,
          .value = std::to_string(value),
          .violated_rules = {std::move(rule)},
          .nearest_legal = std::to_string(nearest)};
}

/// One region against what the layouts need of it.
void region_holds(std::vector<Error>& errors, const SmemRegion& region, const SmemRegion& need) {
  if (region.bytes < need.bytes)
    errors.push_back(broken_region(
        region, region.bytes,
        base::format("{} copies of {} need {} bytes", need.copies, region.name, need.bytes),
        need.bytes));
  if (region.copies != need.copies)
    errors.push_back(broken_region(region, region.copies,
                                   base::format("{} must have a copy for each stage", region.name),
                                   need.copies));
  if (region.alignment < need.alignment || region.alignment % need.alignment != 0)
    errors.push_back(
        broken_region(region, region.alignment,
                      base::format("{} must start at multiples of its swizzle's span, {} bytes",
                                   region.name, need.alignment),
                      need.alignment));
  else if (region.offset < 0 || region.offset % region.alignment != 0)
    errors.push_back(broken_region(
        region, region.offset,
        base::format("{} must start at a multiple of {}", region.name, region.alignment),
        multiple(std::max<Index>(region.offset, 0), region.alignment)));
  if (region.alive != need.alive)
    errors.push_back(broken_region(region, static_cast<Index>(region.alive),
                                   base::format("{} must be alive in the {}", region.name,
                                                kAliveText.at(static_cast<size_t>(need.alive))),
                                   static_cast<Index>(need.alive)));
}

}  // namespace

std::vector<SmemRegion> smem_map(const GemmStep& step) {
  std::vector<SmemRegion> regions = needed(step);
  Index main_loop = 0, epilogue = 0;
  for (SmemRegion& region : regions) {
    const bool in_both = region.alive == Alive::whole_kernel;
    Index& end = region.alive == Alive::epilogue ? epilogue : main_loop;
    if (in_both) end = std::max(main_loop, epilogue);
    region.offset = multiple(end, region.alignment);
    end = region.offset + region.bytes;
    if (in_both) main_loop = epilogue = end;
  }
  return regions;
}

Index smem_end(const GemmStep& step, Alive alive) {
  Index end = 0;
  for (const SmemRegion& region : step.smem_map)
    if (region.alive == alive || region.alive == Alive::whole_kernel)
      end = std::max(end, region.offset + region.bytes);
  return end;
}

Index smem_held(const GemmStep& step) {
  return std::max(smem_end(step, Alive::main_loop), smem_end(step, Alive::epilogue));
}

std::vector<Error> smem_map_rules(const GemmStep& step) {
  std::vector<Error> errors;
  for (const SmemRegion& need : needed(step)) {
    const auto region = std::ranges::find(step.smem_map, need.name, &SmemRegion::name);
    if (region == step.smem_map.end())
      errors.push_back(
          broken_region(need, 0, "the kernel needs a region for " + need.name, need.bytes));
    else
      region_holds(errors, *region, need);
  }
  for (size_t i = 0; i < step.smem_map.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const SmemRegion &one = step.smem_map[i], &other = step.smem_map[j];
      if (meet(one, other))
        errors.push_back(
            broken_region(one, one.offset,
                          base::format("{} and {} are alive together and must share no byte",
                                       other.name, one.name),
                          multiple(other.offset + other.bytes, one.alignment)));
    }
  const Index end = smem_held(step);
  if (step.dynamic_smem_bytes < end)
    errors.push_back({.code = ErrorCode::illegal_config,
                      .operand = "dynamic_smem_bytes",
                      .value = std::to_string(step.dynamic_smem_bytes),
                      .violated_rules = {"the launch needs the bytes of every region"},
                      .nearest_legal = std::to_string(end)});
  return errors;
}

}  // namespace plan

const Role& role_of(const GemmStep& step, std::string_view name) {
  return *std::ranges::find(step.schedule.roles, name, &Role::name);
}

const Signal& signal_of(const GemmStep& step, std::string_view name) {
  return *std::ranges::find(step.signals, name, &Signal::name);
}

const SmemRegion& smem_region(const GemmStep& step, std::string_view name) {
  const auto found = std::ranges::find(step.smem_map, name, &SmemRegion::name);
  if (found != step.smem_map.end()) return *found;
  std::vector<std::string> names;
  for (const SmemRegion& region : step.smem_map) names.push_back(region.name);
  refuse(ErrorCode::unknown_name, "smem", std::string(name),
         "it must be a region of the step: " + joined(names), nearest_name(name, names));
}

}  // namespace jute

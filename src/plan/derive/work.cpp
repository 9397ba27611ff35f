// Reads what a block does off the accesses that its threads have.
#include "plan/derive/work.hpp"

#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <numeric>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/cost/tiles/work_cost.hpp"
#include "plan/cost/tiles/work_problem.hpp"
#include "plan/derive/block/warpgroup_tile_of.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/straight_tiles.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

Index boxes_of_view(const OperandPlan& operand) {
  const TmaWay& tma = tma_of(operand);
  return tma.boxed && tma.boxes ? size(tma.boxes->place) / tma.boxes->parts : 0;
}

WorkProblem work_problem(const GemmStep& step) {
  WorkProblem problem;
  problem.transposed = step.transposed;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
  problem.products = step.products;
  const auto operand = [](const OperandPlan& plan) {
    return WorkMatrix{.type = has_stored_boxes(plan) ? plan.stored->type : plan.type,
                      .major = plan.major,
                      .ld = plan.ld,
                      .boxes = boxes_of_view(plan)};
  };
  problem.a = operand(step.a);
  problem.b = operand(step.b);
  for (const TermProduct& product : step.products)
    problem.a.terms = std::max(problem.a.terms, product.a + 1);
  problem.d = {.type = step.epilogue.d_type,
               .major = step.epilogue.d_order == Order::row ? Major::k : Major::mn,
               .ld = step.epilogue.ldd,
               .access_bytes = step.epilogue.vector_elems * width_bytes(step.epilogue.d_type)};
  problem.accumulate = step.accumulate;
  problem.launches = step.schedule.launches;
  return problem;
}

WarpTileWork warp_tile_work(const GemmStep& step, const WorkProblem& product) {
  KernelProblem problem = problem_of(product);
  problem.a.access_bytes = step.a.vector_elems * width_bytes(step.a.type);
  problem.b.access_bytes = step.b.vector_elems * width_bytes(step.b.type);
  problem.a.stored = step.a.stored;
  problem.b.stored = step.b.stored;
  if (step.a.scales) problem.a.scales = step.a.scales->numbers;
  if (step.b.scales) problem.b.scales = step.b.scales->numbers;
  const Layout& atoms = step.mma.atom_layout();
  const WarpsOfTile one = atoms_of_warp(step.mma.atom());
  const auto along = [&](int mode) { return static_cast<int>(size(atoms[mode])); };
  return warp_tile_work({.m = step.tile.m,
                         .n = step.tile.n,
                         .k_bytes = step.tile.k * width_bytes(step.a.type),
                         .groups_m = along(0) / one.m,
                         .groups_n = along(1) / one.n,
                         .groups_k = along(2),
                         .stages = step.schedule.stages},
                        transfer_of(step.a), problem);
}

WarpGroupWork warp_group_work(const GemmStep& step) {
  const Layout& atoms = step.mma.atom_layout();
  return {step.tile.m,
          step.tile.n,
          step.tile.k,
          static_cast<int>(size(atoms[0])),
          static_cast<int>(size(atoms[1])),
          step.schedule.stages};
}

ThreadGroupWork thread_group_work(const GemmStep& step) {
  return {.m = step.tile.m,
          .n = step.tile.n,
          .k = step.tile.k,
          .rows = held_by_thread(step, 0),
          .columns = held_by_thread(step, 1),
          .warps = static_cast<int>(size(step.mma)) / kWarp};
}

ThreadTileWork thread_tile_work(const GemmStep& step) {
  const auto copies = [&](const OperandPlan& operand) {
    return CopiedByThreads{
        static_cast<double>(size(copy_of(operand).copy_tv[1])) / std::max(operand.vector_elems, 1),
        operand.major == Major::k};
  };
  return {.tile = step.tile,
          .threads = step.threads,
          .rows = held_by_thread(step, 0),
          .columns = held_by_thread(step, 1),
          .parts_of_k = parts_of_k(step),
          .stages = step.schedule.stages,
          .width = width_bytes(step.a.type),
          .a = copies(step.a),
          .b = copies(step.b)};
}

/// Of a dimension along which threads lie: those of the first warp.
int lanes_along(const Layout& threads, int mode) {
  const Layout along = threads[mode];
  int lanes = 0;
  for (Index i = 0; i < size(along); ++i) lanes += along(i) < kWarp ? 1 : 0;
  return lanes;
}

LaneTileWork lane_work(const GemmStep& step) {
  const Layout& threads = step.mma.atom_layout();
  const int parts = parts_of_k(step);
  const auto side = [&](const OperandPlan& operand, int own, int lanes, Index extent) {
    const int vector = std::max(operand.vector_elems, 1);
    const int run = std::gcd(std::max(own, 1), elements_of_chunk(operand.type));
    const bool along_k = operand.major == Major::k;
    return LaneLoads{
        .along_k = along_k,
        .loads = static_cast<double>(size(copy_of(operand).copy_tv[1])) / vector,
        .are_single = vector == 1,
        .sectors = sectors_of_load(along_k, lanes, run, extent, width_bytes(operand.type))};
  };
  const int rows = held_by_thread(step, 0), columns = held_by_thread(step, 1);
  return {.warps = (step.threads / tiles_beside(step.schedule) + kWarp - 1) / kWarp,
          .parts_of_k = parts,
          .tile = step.tile,
          .rows = rows,
          .columns = columns,
          .k = step.tile.k / std::max(parts, 1),
          .width = width_bytes(step.a.type),
          .a = side(step.a, rows, lanes_along(threads, 0), step.m.value),
          .b = side(step.b, columns, lanes_along(threads, 1), step.n.value),
          .sectors = sectors_of(step.tile, lanes_along(threads, 1),
                                {step.epilogue.vector_elems, step.epilogue.vector_elems},
                                width_bytes(step.epilogue.d_type))};
}

DotWork dot_work(const GemmStep& step) {
  const bool is_b = streams_b(step);
  const OperandPlan &streamed = is_b ? step.b : step.a, &kept = is_b ? step.a : step.b;
  const auto loads = [](const OperandPlan& operand) {
    return dot_loads(size(copy_of(operand).copy_tv[1]), operand.vector_elems,
                     elements_of_chunk(operand.type), straight_of(operand).shifted);
  };
  const auto words = [](const OperandPlan& operand) {
    return held_words(operand.stored, operand.type, size(copy_of(operand).copy_tv[1])) *
           (straight_of(operand).shifted ? 2 : 1);
  };
  const int threads = step.threads / tiles_beside(step.schedule);
  const Index sums = Index{step.tile.m} * step.tile.n * parts_of_k(step) / threads;
  return {.threads = threads,
          .lanes_k = parts_of_k(step) / groups_of_k(step),
          .rows = is_b ? step.tile.m : step.tile.n,
          .lines = is_b ? step.tile.n : step.tile.m,
          .k = step.tile.k,
          .streamed = loads(streamed),
          .kept = loads(kept),
          .elements = size(copy_of(streamed).copy_tv[1]),
          .sums = sums,
          .held = words(streamed) + words(kept),
          .has_ends = straight_of(streamed).shifted || straight_of(streamed).from_chunk ||
                      loads(streamed).are_single,
          .stored =
              stored_elements(streamed.stored, streamed.type, size(copy_of(streamed).copy_tv[1]))};
}

/// Instructions of a warp for a k-tile.
Index products_of(const GemmStep& step) {
  const ShapeMnk unit = tile_shape(step.mma);
  return Index{step.tile.m / unit.m} * (step.tile.n / unit.n) * (step.tile.k / unit.k);
}

}  // namespace

StraightWork straight_work(const GemmStep& step) {
  const auto loads = [](const OperandPlan& operand) {
    return size(copy_of(operand).copy_tv[1]) / std::max(operand.vector_elems, 1);
  };
  const OperandPlan& larger = streams_b(step) ? step.b : step.a;
  return {.form = step.mma.atom().form,
          .threads = step.threads / tiles_beside(step.schedule),
          .parts_of_k = parts_of_k(step),
          .width = width_bytes(step.a.type),
          .tile = step.tile,
          .a = {loads(step.a), step.a.major, step.m.value},
          .b = {loads(step.b), step.b.major, step.n.value},
          .products = products_of(step),
          .stores_together = step.epilogue.vector_elems > 1,
          .is_generic = step.schedule.is_generic,
          .stored = stored_elements(larger.stored, larger.type, size(copy_of(larger).copy_tv[1])),
          .stages = step.schedule.stages};
}

LineWork line_work(const GemmStep& step, Operand operand) {
  const bool is_a = operand == Operand::a;
  const OperandPlan &lines = is_a ? step.a : step.b, &kept = is_a ? step.b : step.a;
  const bool by_threads = step.mma.atom().form == MmaForm::fma;
  const int groups = groups_of_k(step);
  return {.by_threads = by_threads,
          .warps = groups,
          .lanes_k = by_threads ? parts_of_k(step) / groups : kWarp / kGroupsOfLines,
          .lines = is_a ? step.tile.m : step.tile.n,
          .rows = is_a ? step.tile.n : step.tile.m,
          .k = step.tile.k,
          .of_chunk = lines.vector_elems,
          .width = width_bytes(lines.type),
          .knows_ld = lines.ld.baked,
          .is_kept_along_k = kept.major == Major::k,
          .is_f32 = lines.type == DType::f32,
          .streamed = operand};
}

namespace {

using Block = decltype(Work::block);

Block block_of(const GemmStep& step, const WorkProblem& problem, const DeviceInfo& device) {
  switch (step.family) {
    case Family::warpgroups:
      return warpgroup_tile_of(step, device);
    case Family::warp_groups:
      return is_warp_group(step) ? Block(warp_group_work(step)) : warpgroup_tile_of(step, device);
    case Family::thread_groups:
      return thread_group_work(step);
    case Family::warps_async:
    case Family::warps_registers:
      return warp_tile_work(step, problem);
    case Family::threads_async:
    case Family::threads_registers:
      return thread_tile_work(step);
    case Family::straight_tiles:
      return straight_work(step);
    case Family::lane_tiles:
      return lane_work(step);
    case Family::dot_products:
      return dot_work(step);
    case Family::line_warps:
    case Family::line_threads:
      if (const auto operand = operand_of_line_ends(step)) return line_work(step, *operand);
  }
  return {};  // a plan that was changed by hand, which rules refuse
}

}  // namespace

namespace {

/// The step as one of the product of both halves of a gated one.
GemmStep of_whole_product(const GemmStep& step) {
  GemmStep whole = step;
  whole.tile = multiplied(step);
  if (step.gate) (step.gate->operand == Operand::a ? whole.m : whole.n).value *= 2;
  whole.gate.reset();
  return whole;
}

}  // namespace

Work work_of(const GemmStep& given, const DeviceInfo& device) {
  const GemmStep step = of_whole_product(given);
  Work work;
  work.family = step.family;
  work.problem = work_problem(step);
  work.tile = step.tile;
  work.split_k = step.schedule.split_k;
  work.whole_tiles = step.schedule.whole_tiles;
  work.block = block_of(step, work.problem, device);
  return work;
}

void set_rows(GemmStep& step, Index m, const DeviceInfo& device) {
  (step.transposed ? step.n : step.m).value = m;
  step.work = work_of(step, device);
}

}  // namespace jute::plan

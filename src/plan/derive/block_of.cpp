// Reads tiles and accesses off steps, whose families count them as they count those of candidates.
#include "plan/derive/block_of.hpp"

#include <jute/plan/values/line_chunks.hpp>
#include <jute/plan/values/stored_stages.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/derive/block/warpgroup_tile_of.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/thread_tiling.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/shapes/warpgroups/warpgroup_block.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {
namespace {

Index boxes_of_view(const OperandPlan& operand) {
  const TmaWay& tma = tma_of(operand);
  return tma.boxed && tma.boxes ? size(tma.boxes->place) / tma.boxes->parts : 0;
}

KernelMatrix matrix_of(const OperandPlan& operand) {
  KernelMatrix matrix;
  matrix.type = operand.type;
  matrix.major = operand.major;
  matrix.ld = operand.ld;
  matrix.access_bytes = operand.vector_elems * width_bytes(operand.type);
  matrix.boxes = boxes_of_view(operand);
  if (transfer_of(operand) == Transfer::cp_async) matrix.carry = Transfer::cp_async;
  if (transfer_of(operand) != Transfer::tma)
    matrix.stored = operand.stored;
  else if (has_stored_boxes(operand))
    matrix.stored = StoredOperand{operand.stored->type, {}};
  // Prices of warpgroups' steps leave scales out, whose k-tiles end with blocks.
  if (operand.scales && transfer_of(operand) != Transfer::tma)
    matrix.scales = operand.scales->numbers;
  return matrix;
}

Accesses accesses_of(const OperandPlan& operand) {
  const Index elements = size(copy_of(operand).copy_tv[1]);
  return {.loads = static_cast<double>(elements) / std::max(operand.vector_elems, 1),
          .elements = elements,
          .are_single = operand.vector_elems < elements_of_chunk(operand.type),
          .are_cut = straight_of(operand).shifted};
}
BothAccesses accesses_of(const GemmStep& step) {
  return {accesses_of(step.a), accesses_of(step.b)};
}
/// Where a last access is cut off.
BothAccesses whole_accesses_of(const GemmStep& step) {
  BothAccesses all = accesses_of(step);
  all.a.loads = std::floor(all.a.loads), all.b.loads = std::floor(all.b.loads);
  return all;
}

/// Its extents, stages, and what both operands' threads have alike.
Tile tile_of(const GemmStep& step) {
  return {.m = step.tile.m,
          .n = step.tile.n,
          .k_bytes = step.tile.k * width_bytes(step.a.type),
          .stages = step.schedule.stages,
          .is_generic = step.schedule.is_generic};
}

/// Threads of one of the products that a block has side by side.
int threads_of_product(const GemmStep& step) { return step.threads / tiles_beside(step.schedule); }
int warps_of_product(const GemmStep& step) {
  return (threads_of_product(step) + kWarp - 1) / kWarp;
}

/// Lanes of the first warp along a dimension.
int lanes_along(const Layout& threads, int mode) {
  const Layout along = threads[mode];
  int lanes = 0;
  for (Index i = 0; i < size(along); ++i) lanes += along(i) < kWarp ? 1 : 0;
  return lanes;
}

Block of_warpgroups(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& device) {
  Block block = warpgroup_block(warpgroup_tile_of(step, device), problem, device);
  block.threads = step.threads;
  block.ahead = step.schedule.stages - 1;
  return block;
}

Block of_warp_groups(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& device) {
  if (is_of_warpgroups(step)) return of_warpgroups(step, problem, device);
  Tile tile = tile_of(step);
  tile.groups_m = static_cast<int>(size(step.mma.atom_layout()[0]));
  tile.groups_n = static_cast<int>(size(step.mma.atom_layout()[1]));
  return warp_group_block(tile, problem);
}

Block of_thread_groups(const GemmStep& step, const KernelProblem& problem,
                       const DeviceInfo& /*any*/) {
  Tile tile = tile_of(step);
  tile.groups_m = groups_of_threads(static_cast<int>(size(step.mma.atom_layout()[0])), 0);
  tile.groups_n = groups_of_threads(static_cast<int>(size(step.mma.atom_layout()[1])), 1);
  return thread_group_block(tile, problem);
}

Block of_warps(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& /*any*/) {
  const Layout& atoms = step.mma.atom_layout();
  const WarpsOfTile one = atoms_of_warp(step.mma.atom());
  Tile tile = tile_of(step);
  tile.groups_m = static_cast<int>(size(atoms[0])) / one.m;
  tile.groups_n = static_cast<int>(size(atoms[1])) / one.n;
  tile.groups_k = static_cast<int>(size(atoms[2]));
  return warp_tile_block(tile, transfer_of(step.a), problem);
}

Block of_threads(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& /*any*/) {
  Tile tile = tile_of(step);
  tile.groups_k = parts_of_k(step);
  tile.repeat_m = held_by_thread(step, 0);
  tile.repeat_n = held_by_thread(step, 1);
  return thread_tile_block(tile, accesses_of(step), problem);
}

Block of_straight_tiles(const GemmStep& step, const KernelProblem& problem,
                        const DeviceInfo& device) {
  const ShapeMnk unit = tile_shape(step.mma);
  Tile tile = tile_of(step);
  tile.groups_k = parts_of_k(step);
  tile.groups_m = std::max(warps_of_product(step) / tile.groups_k, 1);
  tile.repeat_m = step.tile.m / unit.m;
  tile.repeat_n = step.tile.n / unit.n;
  tile.k_steps = step.tile.k / unit.k;
  return straight_block(tile, whole_accesses_of(step), problem, device);
}

Block of_lane_tiles(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& device) {
  const Layout& threads = step.mma.atom_layout();
  Tile tile = tile_of(step);
  tile.groups_k = parts_of_k(step);
  tile.groups_m = std::max(warps_of_product(step) / tile.groups_k, 1);
  tile.lanes_m = lanes_along(threads, 0);
  tile.lanes_n = lanes_along(threads, 1);
  tile.repeat_m = held_by_thread(step, 0);
  tile.repeat_n = held_by_thread(step, 1);
  return lane_block(tile, accesses_of(step), problem, device);
}

Block of_dot_products(const GemmStep& step, const KernelProblem& problem,
                      const DeviceInfo& /*any*/) {
  Tile tile = tile_of(step);
  tile.groups_k = groups_of_k(step);
  tile.groups_n = std::max(warps_of_product(step) / tile.groups_k, 1);
  tile.lanes_k = parts_of_k(step) / tile.groups_k;
  tile.streamed = streams_b(step) ? Operand::b : Operand::a;
  return dot_block(tile, whole_accesses_of(step), problem);
}

Block of_lines(const GemmStep& step, const KernelProblem& problem, const DeviceInfo& /*any*/) {
  Tile tile = tile_of(step);
  tile.groups_k = groups_of_k(step);
  tile.lanes_n = kWarp / std::max(parts_of_k(step) / tile.groups_k, 1);
  return line_block(tile, step.mma.atom().form, problem);
}

/// In the order of families.
using BlockOfStep = Block (*)(const GemmStep&, const KernelProblem&, const DeviceInfo&);
constexpr std::array<BlockOfStep, kFamilies.size()> kBlockOfStep{
    of_warpgroups, of_warp_groups,    of_thread_groups, of_warps,        of_warps, of_threads,
    of_threads,    of_straight_tiles, of_lane_tiles,    of_dot_products, of_lines, of_lines};

}  // namespace

GemmStep of_whole_product(const GemmStep& step) {
  GemmStep whole = step;
  whole.tile = multiplied(step);
  if (step.gate) (step.gate->operand == Operand::a ? whole.m : whole.n).value *= 2;
  whole.gate.reset();
  return whole;
}

KernelProblem multiplied_by(const GemmStep& step) {
  KernelProblem problem;
  problem.transposed = step.transposed;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
  problem.groups = step.groups;
  problem.products = step.products;
  problem.a = matrix_of(step.a);
  problem.b = matrix_of(step.b);
  for (const TermProduct& product : step.products)
    problem.a.terms = std::max(problem.a.terms, product.a + 1);
  problem.c.view = step.epilogue.c_view;
  problem.d.view = step.epilogue.d_view;
  problem.d.rows = step.epilogue.d_rows;
  problem.d.type = step.epilogue.d_type;
  problem.d.major = step.epilogue.d_order == Order::row ? Major::k : Major::mn;
  problem.d.ld = step.epilogue.ldd;
  problem.d.access_bytes = step.epilogue.vector_elems * width_bytes(step.epilogue.d_type);
  problem.accumulate = step.accumulate;
  problem.launches = step.schedule.launches;
  return problem;
}

Block block_of_half(const GemmStep& step, const DeviceInfo& device) {
  return kBlockOfStep.at(static_cast<size_t>(step.family))(step, multiplied_by(step), device);
}

Block block_of(const GemmStep& step, const DeviceInfo& device) {
  return step.gate ? block_of_half(of_whole_product(step), device) : block_of_half(step, device);
}

Grid grid_of(const GemmStep& step) {
  const auto halves = [&](Operand operand) { return has_halves(step, operand) ? 2 : 1; };
  Grid grid = jute::grid_of(step.block, step.m.value * halves(Operand::a),
                            step.n.value * halves(Operand::b), step.k.value, step.batch.value);
  grid.rows_along_n = step.transposed ? 1 : 0;
  return grid;
}

Cut cut_of(const GemmStep& step) {
  return {step.schedule.split_k, step.schedule.whole_tiles, step.schedule.reduction};
}

void set_rows(GemmStep& step, Index m, const DeviceInfo& device) {
  (step.transposed ? step.n : step.m).value = m;
  step.block = block_of(step, device);
}

bool is_of_warpgroups(const GemmStep& step) {
  return step.family == Family::warpgroups ||
         (step.family == Family::warp_groups && !is_warp_group(step));
}

bool is_of_law(const GemmStep& step) {
  const bool is_of_lines = step.family == Family::line_warps || step.family == Family::line_threads;
  return !is_of_warpgroups(step) && (!is_of_lines || operand_of_line_ends(step));
}

}  // namespace jute::plan

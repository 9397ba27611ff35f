// Reads a problem and a tile off a step.
#include "plan/cost/step_facts.hpp"

#include <algorithm>

#include "plan/values/block_threads.hpp"
#include "plan/values/step_grid.hpp"

namespace jute::plan {

KernelProblem problem_of(const GemmStep& step) {
  KernelProblem problem;
  problem.transposed = step.transposed;
  problem.m = step.m;
  problem.n = step.n;
  problem.k = step.k;
  problem.batch = step.batch;
  problem.products = step.products;
  for (const TermProduct& product : step.products)
    problem.a.terms = std::max(problem.a.terms, product.a + 1);
  problem.a.type = step.a.type;
  problem.a.ld = step.a.ld;
  problem.a.major = step.a.major;
  problem.b.type = step.b.type;
  problem.b.major = step.b.major;
  problem.b.ld = step.b.ld;
  problem.d.type = step.epilogue.d_type;
  problem.d.major = step.epilogue.d_order == Order::row ? Major::k : Major::mn;
  problem.d.ld = step.epilogue.ldd;
  problem.d.access_bytes = step.epilogue.vector_elems * width_bytes(step.epilogue.d_type);
  problem.accumulate = step.accumulate;
  return problem;
}

GroupTile tile_of(const GemmStep& step, const DeviceInfo& device) {
  GroupTile tile{};
  tile.m = step.tile.m;
  tile.n = step.tile.n;
  tile.k_bytes = step.tile.k * width_bytes(step.a.type);
  tile.cluster = step.schedule.cluster;
  tile.atoms_m = consumer_groups(step);
  tile.slices = step.schedule.slices;
  tile.meeting = step.schedule.meeting;
  tile.teams = step.schedule.teams;
  tile.beside = blocks_beside(step, device);
  tile.swapped = step.epilogue.d_order == Order::col;
  tile.any_slices = step.schedule.any_slices;
  tile.is_shared = step.schedule.is_shared;
  tile.edge_rows = step.a.edge_unit + step.b.edge_unit > 0 ? EdgeRows::left_out : EdgeRows::zeros;
  return tile;
}

}  // namespace jute::plan

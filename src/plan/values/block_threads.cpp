// Reads the atoms along K off a TiledMma.
#include "plan/values/block_threads.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/values/carried_stages.hpp>

#include <algorithm>
#include <bit>
#include <vector>

#include "plan/chip/warp.hpp"

namespace jute::plan {
namespace {

/// A thread of the first group -> the one that holds the same of D and has the first part of K.
Layout first_of_lanes(Index threads, int lanes) {
  std::vector<Layout> modes;
  Index first = 1;  // threads from one of the next mode to the next
  for (Index lane = 1; lane < kWarp; lane *= 2) {
    if ((lanes & lane) == 0) continue;
    if (lane > first) modes.emplace_back(lane / first, first);
    modes.emplace_back(2, 0);
    first = 2 * lane;
  }
  if (threads > first) modes.emplace_back(threads / first, first);
  return coalesce(make_layout(modes));
}

}  // namespace

int parts_of_k(const GemmStep& step) { return static_cast<int>(size(step.mma.atom_layout()[2])); }

Layout lanes_along_k(const GemmStep& step) {
  std::vector<Layout> lanes{Layout(1, 0)};
  if (threads(step.mma.atom()) > 1)
    return lanes[0];  // whole warps, or parts with a shape of theirs
  const Layout& along_k = step.mma.atom_layout()[2];
  const std::vector<Index> shape = along_k.flat_shape(), stride = along_k.flat_stride();
  for (size_t i = 0; i < shape.size(); ++i) {
    if (stride[i] < 1 || !std::has_single_bit(static_cast<std::uint64_t>(stride[i]))) continue;
    Index extent = 1;
    while (stride[i] * extent < kWarp && shape[i] % (2 * extent) == 0) extent *= 2;
    lanes.emplace_back(extent, stride[i]);
  }
  return make_layout(lanes);
}

int lanes_of_k(const GemmStep& step) {
  const Layout lanes = lanes_along_k(step);
  return static_cast<int>(lanes(size(lanes) - 1));
}

int groups_of_k(const GemmStep& step) {
  return parts_of_k(step) / static_cast<int>(size(lanes_along_k(step)));
}

int draining_threads(const GemmStep& step) {
  return static_cast<int>(size(step.mma)) / groups_of_k(step);
}

Layout drained(const GemmStep& step, const Layout& tv) {
  if (parts_of_k(step) == 1) return tv;
  const Layout first = first_of_lanes(draining_threads(step), lanes_of_k(step));
  return make_layout({composition(tv[0], first), tv[1]});
}

int consumer_groups(const GemmStep& step) {
  return static_cast<int>(size(step.mma)) / std::max(32, threads(step.mma.atom()));
}

}  // namespace jute::plan

namespace jute {

int copying_threads(const GemmStep& step) {
  const auto producer = std::ranges::find(step.schedule.roles, "producer", &Role::name);
  return producer == step.schedule.roles.end() ? static_cast<int>(size(step.mma))
                                               : producer->warps * plan::kWarp;
}

}  // namespace jute

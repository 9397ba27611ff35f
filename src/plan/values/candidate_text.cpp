// What a candidate is, in one line.
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/plan.hpp>

#include "base/format.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {
namespace {

std::string parts_text(int parts) {
  return parts > 1 ? base::format(", {} parts of K", parts) : "";
}
std::string slices_text(int split_k, Index whole_tiles) {
  if (split_k <= 1) return "";
  return base::format(", {} slices of K", split_k) +
         (whole_tiles > 0 ? base::format(" behind {} whole tiles", whole_tiles) : "");
}

std::string tile_text(const WarpgroupTile& tile) {
  return base::format("by {}x{} groups on {}x{}, TMA, clusters of {}x{}", tile.atoms_m,
                      tile.atoms_n, tile.m, tile.n, tile.cluster.m, tile.cluster.n) +
         (tile.ping_pong > 1 ? base::format(", ping-pong of {}", tile.ping_pong) : "") +
         (tile.co_resident > 1 ? base::format(", {} co-resident blocks", tile.co_resident) : "") +
         slices_text(tile.split_k, tile.whole_tiles) +
         (tile.split_k <= 1                       ? ""
          : tile.reduction == SplitK::all_add     ? " that all add"
          : tile.reduction == SplitK::distributed ? " in a cluster"
                                                  : "") +
         (tile.swapped ? ", operands swapped" : "");
}
std::string tile_text(const StraightTile& tile) {
  return base::format("straight from global memory, {}x{} of a warp, {} parts of K", tile.repeat_m,
                      tile.repeat_n, tile.parts_of_k) +
         (tile.run_steps > 1 ? base::format(", {} steps of neighbours", tile.run_steps) : "") +
         (tile.stages > 1 ? base::format(", {} stages", tile.stages) : "");
}
std::string tile_text(const LaneTile& tile) {
  return base::format(
      "straight from global memory, {}x{} of a thread, {}x{} lanes, {}x{} warps, {} parts of K",
      tile.rows, tile.columns, tile.lanes_m, tile.lanes_n, tile.warps_m, tile.warps_n,
      tile.parts_of_k);
}
std::string tile_text(const DotTile& tile) {
  return base::format(
      "dot products of {} rows with {}, by {}x{} warps with {} lanes along K, {}x{} chunks of a "
      "lane",
      tile.rows, tile.streamed == Operand::a ? "A" : "B", tile.warps_lines, tile.warps_k,
      tile.lanes_k, tile.repeats, tile.chunks);
}
std::string tile_text(const LineTile& tile) {
  return base::format(
      "lines of {} in whole chunks, {} lanes along them, by {} warps along K, {} times {} steps, "
      "{} rows",
      tile.streamed == Operand::a ? "A" : "B", tile.lanes, tile.warps_k, tile.repeats, tile.k_steps,
      tile.rows);
}
std::string tile_text(const ThreadTile& tile) {
  return base::format("by threads of {}x{} elements on {}x{}", rows_of(tile), columns_of(tile),
                      tile.m, tile.n) +
         (tile.transfer == Transfer::cp_async
              ? base::format(", cp.async, {} stages of {} of K", tile.stages, tile.k)
              : "") +
         parts_text(tile.parts_of_k) + slices_text(tile.split_k, tile.whole_tiles);
}
std::string tile_text(const WarpTile& tile) {
  return base::format("by {}x{} warps on {}x{}, {}, {} stages of {} bytes of K", tile.warps_m,
                      tile.warps_n, tile.m, tile.n,
                      tile.transfer == Transfer::cp_async ? "cp.async" : "through registers",
                      tile.stages, tile.k_bytes) +
         parts_text(tile.warps_k) + slices_text(tile.split_k, tile.whole_tiles);
}

}  // namespace

std::string to_string(const Candidate& candidate) {
  return candidate.atom.name + " " +
         std::visit([](const auto& tile) { return tile_text(tile); }, candidate.tile);
}

}  // namespace jute::plan

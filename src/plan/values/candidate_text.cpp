// A candidate in one line.
#include <jute/plan/ask/schedule.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>

#include "base/format.hpp"
#include "plan/values/candidates.hpp"

namespace jute::plan {
namespace {

constexpr int kByteBits = 8;

std::string parts_text(int parts) {
  return parts > 1 ? base::format(", {} parts of K", parts) : "";
}
std::string slices_text(int split_k, Index whole_tiles) {
  if (split_k <= 1) return "";
  return base::format(", {} slices of K", split_k) +
         (whole_tiles > 0 ? base::format(" behind {} whole tiles", whole_tiles) : "");
}

/// In the order of transfers.
constexpr std::array<std::string_view, 4> kCarrierWords{"straight", "through registers", "cp.async",
                                                        "TMA"};
std::string_view word_of(Transfer by) { return kCarrierWords.at(static_cast<size_t>(by)); }
std::string_view carriers_text(const Tile& tile) {
  return tile.carry_a == tile.carry_b ? word_of(tile.carry_a) : "cp.async and TMA";
}

std::string groups_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format("by {}x{} groups on {}x{}, {}, clusters of {}x{}", tile.groups_m,
                      tile.groups_n, tile.m, tile.n, carriers_text(tile), tile.cluster.m,
                      tile.cluster.n) +
         (tile.ping_pong > 1 ? base::format(", ping-pong of {}", tile.ping_pong) : "") +
         (tile.co_resident > 1 ? base::format(", {} co-resident blocks", tile.co_resident) : "") +
         slices_text(tile.split_k, tile.whole_tiles) +
         (tile.split_k <= 1                       ? ""
          : tile.reduction == SplitK::all_add     ? " that all add"
          : tile.reduction == SplitK::distributed ? " in a cluster"
                                                  : "") +
         (tile.swapped ? ", operands swapped" : "");
}
std::string fragments_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format("straight from global memory, {}x{} of a warp, {} parts of K", tile.repeat_m,
                      tile.repeat_n, tile.groups_k) +
         (tile.k_run > 1 ? base::format(", {} steps of neighbours", tile.k_run) : "") +
         (tile.stages > 1 ? base::format(", {} stages", tile.stages) : "");
}
std::string lanes_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format(
      "straight from global memory, {}x{} of a thread, {}x{} lanes, {}x{} warps, {} parts of K",
      tile.repeat_m, tile.repeat_n, tile.lanes_m, tile.lanes_n, tile.groups_m, tile.groups_n,
      tile.groups_k);
}
std::string dots_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format(
      "dot products of {} rows with {}, by {}x{} warps with {} lanes along K, {}x{} chunks of a "
      "lane",
      tile.repeat_m, tile.streamed == Operand::a ? "A" : "B", tile.groups_n, tile.groups_k,
      tile.lanes_k, tile.repeat_n, tile.k_steps);
}
std::string lines_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format(
      "lines of {} in whole chunks, {} lanes along them, by {} warps along K, {} times {} steps, "
      "{} rows",
      tile.streamed == Operand::a ? "A" : "B", tile.lanes_n, tile.groups_k, tile.repeat_n,
      tile.k_steps, tile.repeat_m);
}
std::string threads_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  const int k = tile.k_bytes * kByteBits / candidate.atom.a_type.bits;
  return base::format("by threads of {}x{} elements on {}x{}", tile.vector * tile.repeat_m,
                      tile.vector * tile.repeat_n, tile.m, tile.n) +
         (row_of(candidate.family).transfer == Transfer::cp_async
              ? base::format(", cp.async, {} stages of {} of K", tile.stages, k)
              : "") +
         parts_text(tile.groups_k) + slices_text(tile.split_k, tile.whole_tiles);
}
std::string warps_text(const Candidate& candidate) {
  const Tile& tile = candidate.tile;
  return base::format("by {}x{} warps on {}x{}, {}, {} stages of {} bytes of K", tile.groups_m,
                      tile.groups_n, tile.m, tile.n, word_of(row_of(candidate.family).transfer),
                      tile.stages, tile.k_bytes) +
         parts_text(tile.groups_k) + slices_text(tile.split_k, tile.whole_tiles);
}

std::string_view word_of(MmaForm form) {
  return form == MmaForm::fma ? "fma" : form == MmaForm::mma ? "mma" : "wgmma";
}

/// In the order of families.
using TextOf = std::string (*)(const Candidate&);
constexpr std::array<TextOf, kFamilies.size()> kTexts{
    groups_text,  groups_text,    groups_text, warps_text, warps_text, threads_text,
    threads_text, fragments_text, lanes_text,  dots_text,  lines_text, lines_text};

}  // namespace

std::string to_string(const Candidate& candidate) {
  return candidate.atom.name + " " + kTexts.at(static_cast<size_t>(candidate.family))(candidate);
}

std::string idea_of(const Candidate& candidate) {
  const FamilyRow& row = row_of(candidate.family);
  const Tile& tile = candidate.tile;
  std::string text(row.idea);
  if (tile.carry_a != tile.carry_b || tile.carry_a != Transfer::tma)
    text = base::format("by {}", carriers_text(tile));
  if (row.names_instruction) text = base::format("{} {}", word_of(candidate.atom.form), text);
  if (tile.split_k > 1) text += ", slices of K";
  if (tile.ping_pong > 1) text += base::format(", ping-pong of {}", tile.ping_pong);
  if (tile.co_resident > 1) text += base::format(", {} co-resident blocks", tile.co_resident);
  if (tile.cluster.m * tile.cluster.n > 1) text += ", clusters";
  return text;
}

}  // namespace jute::plan

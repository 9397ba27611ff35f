// The words of families and schedules.
#include "plan/choose/ranked/ideas.hpp"

#include "base/format.hpp"

namespace jute::plan {
namespace {

std::string_view word_of(MmaForm form) {
  return form == MmaForm::fma ? "fma" : form == MmaForm::mma ? "mma" : "wgmma";
}

}  // namespace

std::string idea_of(const Candidate& candidate) {
  const FamilyRow& row = row_of(candidate.family);
  const Tile& tile = candidate.tile;
  std::string text(row.idea);
  if (row.names_instruction) text = base::format("{} {}", word_of(candidate.atom.form), text);
  if (tile.split_k > 1) text += ", slices of K";
  if (tile.ping_pong > 1) text += base::format(", ping-pong of {}", tile.ping_pong);
  if (tile.co_resident > 1) text += base::format(", {} co-resident blocks", tile.co_resident);
  if (tile.cluster.m * tile.cluster.n > 1) text += ", clusters";
  return text;
}

}  // namespace jute::plan

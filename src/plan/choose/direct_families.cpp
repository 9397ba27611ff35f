// Families whose threads load what they multiply straight from global memory.
#include <algorithm>
#include <iterator>
#include <utility>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/choose/families.hpp"
#include "plan/choose/ranked/ranked_direct.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr size_t kRankedDirect = 4, kRankedStraight = 2;  // of a family

bool is_wish_for_straight(const Asked& asked) {
  return asked.config.main_loop == MainLoop::straight;
}

/// Do they suit what the caller leaves open, or are they what it wishes?
bool may_be_direct(const Asked& asked) {
  const KernelProblem& own = asked.own;
  // Of a gated product a gate's half lies ahead of the other, in whole vectors.
  const bool takes_gate = !own.gate || (own.gate->is_beside && own.a.access_bytes >= kChunk &&
                                        own.b.access_bytes >= kChunk);
  const Config& config = asked.config;
  const bool is_open = is_ranked(config) && !config.main_loop && !config.stages && !config.pad &&
                       !config.transpose && !config.raster_width;
  return takes_gate && (is_open || is_wish_for_straight(asked));
}

std::vector<RankedCandidate> of_atom(const MmaAtom& atom, Family family,
                                     const std::vector<RankedTile>& tiles) {
  std::vector<RankedCandidate> list;
  for (const RankedTile& one : tiles) list.push_back({one.clocks, {atom, family, one.tile}});
  return list;
}

/// Is what the model expects of such tiles to be believed? Of kernels that take longer it expects
/// too little, but of those whose operands others would copy, and of those that are all of a
/// product, which read nothing twice, however many products there are.
bool is_believed(const RankedTile& best, const MmaAtom& atom, const Asked& asked) {
  const KernelProblem& problem = asked.problem;
  const Tile covered = covered_by_warps(best.tile, atom, problem);
  if (!fits_grid({covered.m, covered.n}, problem.m.value, problem.n.value, problem.batch.value))
    return false;
  const bool is_whole = problem.batch.value > most_blocks_at_once(asked.device) &&
                        problem.m.value <= covered.m && problem.n.value <= covered.n;
  return is_whole || needs_copies(problem) || best.clocks <= fitted::kLongestStraight;
}

std::vector<RankedTile> straight_tiles_of(const MmaAtom& atom, const Asked& asked) {
  return ranked_straight_tiles(atom, asked.problem, asked.device, kRankedStraight,
                               asked.config.specialize);
}

}  // namespace

void add_dot_products(Asked& asked, RankedList& list) {
  const Config& config = asked.config;
  if (!may_be_direct(asked) || !may_be_dot_products(asked.problem, config)) return;
  // Along lines they come element by element, or out of two chunks each.
  if (may_be_lines(asked.problem, config) && !is_wish_for_straight(asked)) return;
  const auto fma = std::ranges::find(asked.atoms(), MmaForm::fma, &MmaAtom::form);
  if (fma == asked.atoms().end()) return;
  list.add_in_order(
      of_atom(*fma, Family::dot_products,
              ranked_dot_tiles(asked.problem, asked.device, kRankedDirect, config.specialize)));
}

void add_lines(Asked& asked, RankedList& list) {
  if (!may_be_direct(asked) || !may_be_lines(asked.problem, asked.config)) return;
  list.add_in_order(ranked_line_tiles(asked.problem, asked.device, asked.atoms(), kRankedDirect));
}

void add_straight_tiles(Asked& asked, RankedList& list) {
  if (!may_be_direct(asked)) return;
  if (is_wish_for_straight(asked)) {
    // Who wishes for them may have those of every instruction, the best one's first.
    std::vector<RankedCandidate> all;
    for (const MmaAtom& atom : asked.atoms())
      if (atom.form == MmaForm::mma)
        std::ranges::move(of_atom(atom, Family::straight_tiles, straight_tiles_of(atom, asked)),
                          std::back_inserter(all));
    return list.add_in_order(std::move(all));
  }
  const MmaAtom& atom = asked.atoms().front();
  if (atom.form != MmaForm::mma || !may_be_straight(asked.problem, asked.device)) return;
  const std::vector<RankedTile> tiles = straight_tiles_of(atom, asked);
  if (!tiles.empty() && is_believed(tiles.front(), atom, asked))
    list.add_in_order(of_atom(atom, Family::straight_tiles, tiles));
}

void add_lane_tiles(Asked& asked, RankedList& list) {
  const bool is_wish = is_wish_for_straight(asked);
  const MmaAtom& atom = asked.atoms().back();
  if (!may_be_direct(asked) || atom.form != MmaForm::fma || !(asked.is_for_threads() || is_wish))
    return;
  // Problems that share kernels have none of these: each would be one more.
  if (!is_ranked_but_for_atom(asked.config) || asked.config.specialize == Specialize::generic) {
    if (is_wish)
      list.add_behind(of_atom(atom, Family::straight_tiles, straight_tiles_of(atom, asked)));
    return;
  }
  if (least_lane_clocks(asked.problem, asked.device) >= list.limit()) return;
  std::vector<RankedCandidate> lanes = of_atom(
      atom, Family::lane_tiles, ranked_lane_tiles(asked.problem, asked.device, kRankedDirect));
  if (is_wish)  // of few rows dot products are meant
    list.add_behind(std::move(lanes));
  else
    list.add_in_order(std::move(lanes));
}

}  // namespace jute::plan

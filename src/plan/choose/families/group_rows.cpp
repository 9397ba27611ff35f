// Warpgroups' candidates, the caller's tile, and rows of tables.
#include <jute/base/checked.hpp>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/families/block_of.hpp"
#include "plan/choose/families/families.hpp"
#include "plan/choose/families/gated_tiles.hpp"
#include "plan/choose/families/instructions.hpp"
#include "plan/choose/families/priced.hpp"
#include "plan/choose/families/warpgroup_search.hpp"
#include "plan/shapes/candidate_rows.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

/// Groups of consumers that share the rows of the caller's tile. A team is one group where its
/// registers hold the accumulators.
int groups_for(const TileShape& tile, int ping_pong) {
  // Hardware: of a thread's 255 registers, of 128 threads, accumulators of a group in turns.
  constexpr Index kMostAlone = 128 * 200;
  constexpr int kThree = 3, kRowsOfThree = 192;  // hardware: a group multiplies 64 rows
  if (tile.m == 64 || (ping_pong > 1 && Index{tile.m} * tile.n <= kMostAlone)) return 1;
  return tile.m % kRowsOfThree == 0 ? kThree : 2;
}

/// The caller's tile, whose groups are one row of instructions each, and what goes with it.
Tile wgmma_tile(const KernelProblem& problem, const DeviceInfo& device, const Config& config) {
  constexpr Index kMostBytes = 1 << 20;  // of K in a stage: more than shared memory has
  Tile tile = kWgmmaRow.tile;
  if (config.tile) tile.groups_m = groups_for(*config.tile, config.ping_pong.value_or(1));
  tile.swapped = config.swapped.value_or(false);
  Tile wish = tile;
  if (const std::optional<TileShape>& shape = config.tile) {
    wish.m = shape->m;
    wish.n = shape->n;
    wish.k_bytes =
        static_cast<int>(std::min(Index{shape->k} * width_bytes(problem.a.type), kMostBytes));
  }
  wish.ping_pong = config.ping_pong.value_or(wish.ping_pong);
  wish.cluster = config.cluster.value_or(wish.cluster);
  wish.split_k = config.split_k.value_or(wish.split_k);
  wish.reduction = config.reduction.value_or(wish.reduction);
  return scheduled(wish, wish.swapped ? transposed(problem) : problem, device).value_or(tile);
}

/// Sums of a thread that leave registers for the rest, and for other slices' sums.
bool has_room(const Tile& tile) {
  // Hardware: of 255 registers, beside what is converted.
  constexpr int kMost = 128, kMostOfSlices = 96;
  const int threads = kGroupWarps * kWarp * tile.groups_m;
  return tile.m * tile.n <= threads * (tile.split_k > 1 ? kMostOfSlices : kMost);
}

/// Does each tile, or those of a cluster together, read its weights for all of so many rows?
bool read_once(const Tile& tile, Index rows) {
  return ceil_div(rows, Index{tile.n}) <= tile.cluster.n;
}

/// Looks at the quickest tiles whose A instructions take from registers: what a thread sums leaves
/// room for that. Where rows are few, tiles that read A once. Stages hold twice as much of K where
/// these are many.
void look_at_stored(const Asked& asked, const Config& config, Fastest<RankedTile>& best) {
  constexpr int kWidthStep = 8, kWide = 2 * kLine, kMostColumns = 128;
  constexpr Index kFewRows = 256;
  constexpr size_t kLookedAt = 8;  // for each of those asked for
  const KernelProblem& problem = asked.problem;
  const bool is_swapped = problem.b.stored.has_value();
  const Index rows = (is_swapped ? problem.m : problem.n).value;
  const bool is_along_k = (is_swapped ? problem.a : problem.b).major == Major::k;
  const Index wide = kWide / width_bytes(problem.a.type);
  Fastest<RankedTile> all(best.most()), once(best.most());
  const auto look = [&](const Config& wishes) {
    Fastest<RankedTile> some(kLookedAt * best.most());
    look_at_warpgroup_tiles(problem, asked.device, wishes, false, {}, some);
    for (RankedTile& ranked : std::move(some).list()) {
      Tile& tile = ranked.tile;
      if (!has_room(tile)) continue;
      const Index own_rows = ceil_div(rows, Index{tile.cluster.n});
      if (is_along_k && tile.n >= own_rows + kWidthStep) continue;  // zeros
      if (tile.n <= kMostColumns && problem.k.value % wide == 0) tile.k_bytes = kWide;
      all.add(ranked);
      if (read_once(tile, rows)) once.add(ranked);
    }
  };
  look(config);
  if (!config.cluster && rows <= kFewRows) {  // two blocks of half of the rows, one of the weights
    Config pairs = config;
    pairs.cluster = {1, 2};
    look(pairs);
  }
  std::vector<RankedTile> few = std::move(once).list();
  for (RankedTile& one : rows <= kFewRows && !few.empty() ? few : std::move(all).list())
    best.add(std::move(one));
}

MmaForm form_of(const KernelProblem& problem) {
  return has_stored(problem) ? MmaForm::wgmma_rs : MmaForm::wgmma_ss;
}
/// The operand that instructions take from registers is the kernel's A.
Config with_stored_first(Config config, const KernelProblem& problem) {
  if (has_stored(problem)) config.swapped = problem.b.stored.has_value();
  return config;
}

}  // namespace

std::vector<Candidate> candidates_of_warpgroups(const Asked& asked, Tile tile) {
  tile.carry_a = asked.problem.a.carry;
  tile.carry_b = asked.problem.b.carry;
  // An instruction of warpgroups is as wide as its half of a gated tile.
  constexpr ShapeMnk kLeast{64, 8, 16};
  tile = gated_tile(Family::warpgroups, tile, kLeast, asked.own);
  std::vector<Candidate> all;
  for (MmaAtom& atom :
       instructions_of({form_of(asked.problem), kWgmmaNeeds, tile}, asked.problem, asked.device,
                       with_stored_first(asked.own_config, asked.problem), asked.catalogue))
    all.push_back({std::move(atom), Family::warpgroups, tile});
  return all;
}

void look_at_warpgroups(Asked& asked, bool are_shared, Fastest<RankedTile>& best) {
  const KernelProblem& problem = asked.problem;
  const bool are_stored = has_stored(problem);
  const Config config = with_stored_first(are_stored ? asked.own_config : asked.config, problem);
  if (!is_ranked(config)) {
    const Tile tile = wgmma_tile(problem, asked.device, config);
    const KernelProblem& seen = tile.swapped ? transposed(problem) : problem;
    return best.add({expected_of(tile_cost(tile, seen, asked.device)).clocks, tile});
  }
  if (are_stored) return look_at_stored(asked, config, best);
  const auto has_instruction = [&](const Tile& tile) {
    return !candidates_of_warpgroups(asked, tile).empty();
  };
  look_at_warpgroup_tiles(problem, asked.device, config, are_shared, has_instruction, best);
}

namespace {

/// Are rows held against what else there is by what the law expects? Beside wgmma it is not known
/// of threads that convert, nor where K is short.
bool are_rows_priced(Asked& asked) {
  return asked.is_for_threads() || asked.are_for_warps() ||
         suits_warp_tiles(asked.problem, asked.device);
}

/// The clocks of a tile of warps or threads: no more is known than that it takes longer than the
/// limit.
double price_of(Family family, const MmaAtom& atom, const Tile& tile, const Asked& asked,
                double limit) {
  const Block block = block_of(family, atom, tile, asked.problem, asked.device);
  const FamilyLaw law = law_of(family, atom.form, asked.problem, asked.device);
  return clocks(block, grid_of(block, asked.problem), cut_of(tile), law.rates, law.of, limit)
      .clocks;
}

}  // namespace

void add_table_rows(Asked& asked, RankedList& list, Readers readers) {
  const bool are_priced = are_rows_priced(asked);
  // Rows that stand behind all others are within no bound.
  if (!are_priced && list.limit() < kNoLimit) return;
  const auto add_groups = [&](std::span<const GroupRow> table) {
    for (const GroupRow& row : table)
      for (MmaAtom& atom :
           instructions_of(row, asked.problem, asked.device, asked.own_config, asked.catalogue)) {
        const double clocks = price_of(Family::warp_groups, atom, row.tile, asked, kNoLimit);
        list.add({clocks, {std::move(atom), Family::warp_groups, row.tile}});
      }
  };
  const bool are_groups = are_among(readers, Family::warp_groups);
  if (asked.config.mma_atom && are_groups) add_groups(kNamedGroupRows);
  if (asked.config.main_loop && are_groups) add_groups(kWishedGroupRows);
  // The first row that suits is preferred.
  double least = are_priced ? 0 : std::max(list.last(), 0.0);
  const auto add = [&](std::span<const StagedRow> table, const MmaAtom& atom) {
    for (const StagedRow& row : table) {
      if (least >= list.limit()) return;
      if (!are_among(readers, row.family) || !suits(row.needs, asked.problem, asked.device))
        continue;
      Tile tile = row.tile;
      if (row.k > 0) tile.k_bytes = row.k * width_bytes(asked.problem.a.type);
      least = std::max(price_of(row.family, atom, tile, asked, list.limit()), least);
      if (least < list.limit()) list.add({least, {atom, row.family, tile}});
    }
  };
  for (const MmaAtom& atom : asked.atoms())
    if (atom.form == MmaForm::mma)
      add(kWarpRows, atom);
    else if (atom.form == MmaForm::fma)
      add(kThreadRows, atom);
}

}  // namespace jute::plan

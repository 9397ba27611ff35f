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
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

constexpr size_t kMostWarpgroups = 10;

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
GroupRow wgmma_row(const KernelProblem& problem, const DeviceInfo& device, const Config& config) {
  constexpr Index kMostBytes = 1 << 20;  // of K in a stage: more than shared memory has
  GroupRow row = kWgmmaRow;
  if (config.tile) row.tile.groups_m = groups_for(*config.tile, config.ping_pong.value_or(1));
  row.tile.swapped = config.swapped.value_or(false);
  Tile wish = row.tile;
  if (const std::optional<TileShape>& tile = config.tile) {
    wish.m = tile->m;
    wish.n = tile->n;
    wish.k_bytes =
        static_cast<int>(std::min(Index{tile->k} * width_bytes(problem.a.type), kMostBytes));
  }
  wish.ping_pong = config.ping_pong.value_or(wish.ping_pong);
  wish.cluster = config.cluster.value_or(wish.cluster);
  wish.split_k = config.split_k.value_or(wish.split_k);
  wish.reduction = config.reduction.value_or(wish.reduction);
  row.tile =
      scheduled(wish, wish.swapped ? transposed(problem) : problem, device).value_or(row.tile);
  return row;
}

/// What a candidate is expected to take that nobody ranked.
double price_of(const Candidate& one, const KernelProblem& problem, const DeviceInfo& device) {
  return expected_of(cost_of(one, problem, device)).clocks;
}

/// Adds each instruction that there is for the row, on its tile, with what is expected of that.
///   gives  how many there are
size_t add_row(const Asked& asked, GroupRow row, const Config& config, RankedList& list,
               std::optional<double> clocks = std::nullopt) {
  row.tile.carry_a = asked.problem.a.carry;
  row.tile.carry_b = asked.problem.b.carry;
  // An instruction of warpgroups is as wide as its half of a gated tile.
  constexpr ShapeMnk kLeast{64, 8, 16};
  if (is_wgmma(row.form)) row.tile = gated_tile(Family::warpgroups, row.tile, kLeast, asked.own);
  std::vector<MmaAtom> atoms =
      instructions_of(row, asked.problem, asked.device, config, asked.catalogue);
  for (MmaAtom& atom : atoms) {
    const Family family = staged_family(multiplied_by(atom.form), Transfer::tma);
    Candidate one{std::move(atom), family, row.tile};
    const double expected = clocks ? *clocks : price_of(one, asked.problem, asked.device);
    list.add({expected, std::move(one)});
  }
  return atoms.size();
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

/// Tiles whose A instructions take from registers, the quickest first: what a thread sums leaves
/// room for that. Of few rows those that read A once.
std::vector<RankedTile> ranked_stored_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                            const Config& config, size_t most) {
  constexpr int kWidthStep = 8;
  constexpr Index kFewRows = 256;
  constexpr size_t kLookedAt = 8;  // for each of those asked for
  const bool is_swapped = config.swapped.value_or(false);
  const Index rows = (is_swapped ? problem.m : problem.n).value;
  const bool is_along_k = (is_swapped ? problem.a : problem.b).major == Major::k;
  Fastest<RankedTile> all(most), once(most);
  const auto look = [&](const Config& asked) {
    for (const RankedTile& ranked : ranked_tiles(problem, device, kLookedAt * most, asked)) {
      const Tile& tile = ranked.tile;
      if (tile.is_generic || !has_room(tile)) continue;
      const Index own_rows = ceil_div(rows, Index{tile.cluster.n});
      if (is_along_k && tile.n >= own_rows + kWidthStep) continue;  // zeros
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
  std::vector<RankedTile> list = std::move(once).list();
  return rows <= kFewRows && !list.empty() ? list : std::move(all).list();
}

/// Of an operand that instructions take from registers, A of the kernel: by stages of twice as much
/// of K where these are many.
void add_of_stored(Asked& asked, RankedList& list) {
  constexpr int kWide = 2 * kLine, kMostColumns = 128;
  const KernelProblem& problem = asked.problem;
  Config config = asked.own_config;
  const bool is_swapped = problem.b.stored.has_value();
  if (config.swapped.value_or(is_swapped) != is_swapped) return;
  config.swapped = is_swapped;
  const auto add = [&](const Tile& tile, std::optional<double> clocks) {
    add_row(asked, {MmaForm::wgmma_rs, kWgmmaNeeds, tile}, config, list, clocks);
  };
  if (!is_ranked(config)) return add(wgmma_row(problem, asked.device, config).tile, std::nullopt);
  const Index wide = kWide / width_bytes(problem.a.type);
  for (RankedTile& one : ranked_stored_tiles(problem, asked.device, config, kMostWarpgroups)) {
    if (one.tile.n <= kMostColumns && problem.k.value % wide == 0) one.tile.k_bytes = kWide;
    add(one.tile, one.clocks);
  }
}

}  // namespace

void add_warpgroups(Asked& asked, RankedList& list) {
  const KernelProblem& problem = asked.problem;
  const Config& config = asked.config;
  if (!suits(kWgmmaNeeds, problem, asked.device)) return;
  if (has_stored(problem)) {
    if (config.main_loop == MainLoop::warp_specialised) add_of_stored(asked, list);
    return;
  }
  if (!is_ranked(config)) {
    add_row(asked, wgmma_row(problem, asked.device, config), asked.own_config, list);
    return;
  }
  if (!asked.has_wgmma()) return;
  const auto has_instruction = [&](const Tile& tile) {
    const GroupRow row{MmaForm::wgmma_ss, kWgmmaNeeds, tile};
    return !instructions_of(row, problem, asked.device, asked.own_config, asked.catalogue).empty();
  };
  const auto rank = [&](size_t most) {
    const std::vector<RankedTile> tiles =
        ranked_tiles(problem, asked.device, most, config, list.limit(), has_instruction);
    size_t rows = 0;
    for (const RankedTile& one : tiles)
      rows += add_row(asked, {MmaForm::wgmma_ss, kWgmmaNeeds, one.tile}, asked.own_config, list,
                      one.clocks);
    return rows == 0 && tiles.size() == most;
  };
  // The chip has no instruction for some of their widths.
  if (rank(std::min(kMostWarpgroups, list.most()))) rank(kMostWarpgroups);
}

namespace {

/// Are rows held against what else there is by what the law expects? Beside wgmma it is not known
/// of threads that convert, nor where K is short.
bool are_rows_priced(Asked& asked) {
  return asked.is_for_threads() || asked.are_for_warps() ||
         suits_warp_tiles(asked.problem, asked.device);
}

/// Of a tile of warps or threads: no more is known than that it takes longer than the limit.
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
  // What stands behind all others is within no bound.
  if (!are_priced && list.limit() < kNoLimit) return;
  const bool are_groups = are_among(readers, Family::warp_groups);
  if (asked.config.mma_atom && are_groups)
    for (const GroupRow& row : kNamedGroupRows) add_row(asked, row, asked.own_config, list);
  if (asked.config.main_loop && are_groups)
    for (const GroupRow& row : kWishedGroupRows) add_row(asked, row, asked.own_config, list);
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

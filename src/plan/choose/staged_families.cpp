// Families that bring tiles to shared memory: by TMA or by all threads, for warpgroups, warps and
// threads; and rows of tables.
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/choose/families.hpp"
#include "plan/choose/instructions.hpp"
#include "plan/choose/ranked/priced.hpp"
#include "plan/choose/ranked/ranked_staged.hpp"
#include "plan/choose/ranked/ranked_stored_tiles.hpp"
#include "plan/choose/ranked/ranked_tiles.hpp"
#include "plan/shapes/block_of.hpp"
#include "plan/shapes/candidate_rows.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_tiles.hpp"

namespace jute::plan {
namespace {

constexpr size_t kMostWarpgroups = 10, kMostStaged = 6;  // of a family

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
  const Tile& tile = one.tile;
  if (one.family == Family::warpgroups)
    return expected_of(tile_cost(tile, tile.swapped ? transposed(problem) : problem, device))
        .clocks;
  const FamilyLaw law = law_of(one.family, one.atom.form, problem, device);
  return price_of(block_of(one, problem, device), problem, law, {tile.split_k, tile.whole_tiles});
}

/// Each instruction that there is for the row, on its tile, with what is expected of that.
std::vector<RankedCandidate> of_row(const Asked& asked, GroupRow row, const Config& config,
                                    std::optional<double> clocks = std::nullopt) {
  // An instruction of warpgroups is as wide as its half of a gated tile.
  constexpr ShapeMnk kLeast{64, 8, 16};
  if (is_wgmma(row.form)) row.tile = gated_tile(Family::warpgroups, row.tile, kLeast, asked.own);
  std::vector<RankedCandidate> list;
  for (MmaAtom& atom : instructions_of(row, asked.problem, asked.device, config, asked.catalogue)) {
    const Family family = staged_family(multiplied_by(atom.form), Transfer::tma);
    Candidate one{std::move(atom), family, row.tile};
    const double expected = clocks ? *clocks : price_of(one, asked.problem, asked.device);
    list.push_back({expected, std::move(one)});
  }
  return list;
}

/// Do warps multiply where warpgroups might: of operands or a D that those do not have as they lie?
bool are_for_warps(Asked& asked) {
  const KernelProblem& problem = asked.problem;
  return asked.atoms().front().form == MmaForm::mma &&
         (has_stored(problem) || !asked.has_wgmma() || needs_copies(problem) || problem.c.view ||
          problem.d.view || has_row_tables(problem) ||
          asked.config.main_loop == MainLoop::multistage);
}

/// Kernels that problems share are of few tiles.
bool are_warps_ranked(Asked& asked) {
  return is_ranked(asked.config) && asked.config.specialize != Specialize::generic &&
         are_for_warps(asked);
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
    list.add_in_order(of_row(asked, {MmaForm::wgmma_rs, kWgmmaNeeds, tile}, config, clocks));
  };
  if (!is_ranked(config)) return add(wgmma_row(problem, asked.device, config).tile, std::nullopt);
  const Index wide = kWide / width_bytes(problem.a.type);
  for (RankedTile& one : ranked_stored_tiles(problem, asked.device, config, kMostWarpgroups)) {
    if (one.tile.n <= kMostColumns && problem.k.value % wide == 0) one.tile.k_bytes = kWide;
    add(one.tile, one.clocks);
  }
}

}  // namespace

void add_thread_groups(Asked& asked, RankedList& list) {
  const bool is_wish = asked.config.main_loop == MainLoop::warp_specialised;
  if (!asked.is_for_threads() || !(is_ranked(asked.config) || is_wish) ||
      needs_copies(asked.problem))
    return;
  for (const RankedTile& one :
       ranked_thread_groups(asked.problem, asked.device, kMostStaged, asked.config.tile))
    list.add({one.clocks, {asked.atoms().front(), Family::thread_groups, one.tile}});
}

void add_thread_tiles(Asked& asked, RankedList& list) {
  if (!asked.is_for_threads() || !is_ranked(asked.config) ||
      asked.config.specialize == Specialize::generic)
    return;
  for (const RankedTile& one : ranked_thread_tiles(asked.problem, asked.device, kMostStaged))
    list.add({one.clocks, {asked.atoms().front(), Family::threads_async, one.tile}});
}

void add_warpgroups(Asked& asked, RankedList& list) {
  const KernelProblem& problem = asked.problem;
  const Config& config = asked.config;
  if (!suits(kWgmmaNeeds, problem, asked.device)) return;
  if (has_stored(problem)) {
    if (config.main_loop == MainLoop::warp_specialised) add_of_stored(asked, list);
    return;
  }
  if (!is_ranked(config))
    return list.add_in_order(
        of_row(asked, wgmma_row(problem, asked.device, config), asked.own_config));
  if (!asked.has_wgmma()) return;
  std::vector<RankedCandidate> rows;
  const auto rank = [&](size_t most) {
    rows.clear();
    const std::vector<RankedTile> tiles =
        ranked_tiles(problem, asked.device, most, config, list.limit());
    for (const RankedTile& one : tiles)
      std::ranges::move(
          of_row(asked, {MmaForm::wgmma_ss, kWgmmaNeeds, one.tile}, asked.own_config, one.clocks),
          std::back_inserter(rows));
    return tiles.size() == most && rows.size() < most;
  };
  // The chip has no instruction for some of their widths.
  if (rank(std::min(kMostWarpgroups, list.most()))) rank(kMostWarpgroups);
  list.add_in_order(std::move(rows));
}

void add_warp_groups(Asked& asked, RankedList& list) {
  if (!are_warps_ranked(asked) || needs_copies(asked.problem)) return;
  for (const RankedTile& one : ranked_warp_groups(asked.problem, asked.device, kMostStaged))
    list.add({one.clocks, {asked.atoms().front(), Family::warp_groups, one.tile}});
}

void add_warp_tiles(Asked& asked, RankedList& list) {
  if (!are_warps_ranked(asked)) return;
  const Family family = warp_tiles_of(asked.problem, asked.device);
  for (const RankedTile& one :
       ranked_warp_tiles(asked.problem, asked.device, kMostStaged, list.limit()))
    list.add({one.clocks, {asked.atoms().front(), family, one.tile}});
}

namespace {

std::vector<RankedCandidate> rows_of(std::span<const StagedRow> table, const MmaAtom& atom,
                                     const Asked& asked) {
  std::vector<RankedCandidate> rows;
  for (const StagedRow& row : table)
    if (suits(row.needs, asked.problem, asked.device)) {
      Candidate one{atom, row.family, row.tile};
      if (row.k > 0) one.tile.k_bytes = row.k * width_bytes(asked.problem.a.type);
      rows.push_back({price_of(one, asked.problem, asked.device), one});
    }
  return rows;
}

/// Are rows ranked among other families, as nothing ranks tiles like theirs?
bool are_rows_ranked(Asked& asked) {
  if (!is_ranked(asked.config)) return false;
  if (!asked.is_for_threads())
    return are_for_warps(asked) &&
           !(are_warps_ranked(asked) && suits_warp_tiles(asked.problem, asked.device));
  return asked.config.specialize == Specialize::generic ||
         !may_be_staged(asked.problem, asked.device);
}

}  // namespace

void add_table_rows(Asked& asked, RankedList& list) {
  const bool are_ranked = are_rows_ranked(asked);
  if (!are_ranked && list.is_full()) return;
  std::vector<RankedCandidate> rows;
  const auto add = [&](std::vector<RankedCandidate> more) {
    std::ranges::move(more, std::back_inserter(rows));
  };
  if (asked.config.mma_atom)
    for (const GroupRow& row : kNamedGroupRows) add(of_row(asked, row, asked.own_config));
  if (asked.config.main_loop)
    for (const GroupRow& row : kWishedGroupRows) add(of_row(asked, row, asked.own_config));
  for (const MmaAtom& atom : asked.atoms())
    if (atom.form == MmaForm::mma)
      add(rows_of(kWarpRows, atom, asked));
    else if (atom.form == MmaForm::fma)
      add(rows_of(kThreadRows, atom, asked));
  if (are_ranked)
    list.add_in_order(std::move(rows));
  else
    list.add_behind(std::move(rows));
}

}  // namespace jute::plan

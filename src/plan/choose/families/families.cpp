// The table of families by their tiles and cuts, and the one loop over it.
#include "plan/choose/families/families.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "plan/ask/wish_rules.hpp"
#include "plan/choose/families/block_of.hpp"
#include "plan/choose/families/cuts.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/law.hpp"
#include "plan/cost/release.hpp"
#include "plan/shapes/candidate_rows.hpp"
#include "plan/shapes/direct/dot_products.hpp"
#include "plan/shapes/direct/lane_tiles.hpp"
#include "plan/shapes/direct/line_tiles.hpp"
#include "plan/shapes/direct/straight_tiles.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/shapes/thread_groups.hpp"
#include "plan/shapes/thread_tiles.hpp"
#include "plan/shapes/warp_groups.hpp"
#include "plan/shapes/warp_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {

namespace {

using Atoms = std::vector<const MmaAtom*>;

/// A family's row.
struct FamilyTiles {
  Family family;
  size_t most;  ///< that are offered
  bool (*may)(Asked&);
  Atoms (*atoms)(Asked&) = nullptr;
  void (*for_tiles)(const Asked&, const MmaAtom&, const LookAtTile&) = nullptr;
  CutRule cuts{};
  /// The clocks that none of its tiles beats.
  double (*least)(const Asked&, const FamilyLaw&) = nullptr;
  double worth = 0;  ///< what one of its own must save where problems share kernels
  /// Is what the law expects to be believed?
  bool (*is_believed)(double clocks, const Block&, const Asked&) = nullptr;
  /// In place of atoms and tiles: whoever knows bounds of its tiles, with instructions by tiles.
  void (*look)(Asked&, bool are_shared, Fastest<RankedTile>&) = nullptr;
  std::vector<Candidate> (*candidates)(const Asked&, Tile) = nullptr;
};

/// All tiles of a family whose instruction decides nothing of them.
template <void (*kForTiles)(const KernelProblem&, const DeviceInfo&, const LookAtTile&)>
void all(const Asked& asked, const MmaAtom& /*any*/, const LookAtTile& look) {
  kForTiles(asked.problem, asked.device, look);
}

bool is_generic(const Asked& asked) { return asked.config.specialize == Specialize::generic; }
bool is_wish_for_straight(const Asked& asked) {
  return asked.config.main_loop == MainLoop::straight;
}

Atoms first_atom(Asked& asked) { return {&asked.atoms().front()}; }
Atoms atoms_of_form(Asked& asked, MmaForm form) {
  const auto found = std::ranges::find(asked.atoms(), form, &MmaAtom::form);
  return found == asked.atoms().end() ? Atoms{} : Atoms{&*found};
}
Atoms multiply_add(Asked& asked) { return atoms_of_form(asked, MmaForm::fma); }

// --- Straight from global memory. ---

/// Do they suit what the caller leaves open, or are they what it wishes?
bool may_be_direct(const Asked& asked) {
  const KernelProblem& own = asked.own;
  // The gate's half of a gated product lies ahead of the other, in whole vectors.
  const bool takes_gate = !own.gate || (own.gate->is_beside && own.a.access_bytes >= kChunk &&
                                        own.b.access_bytes >= kChunk);
  const Config& config = asked.config;
  const bool is_open = is_ranked(config) && !config.main_loop && !config.stages && !config.pad &&
                       !config.transpose && !config.raster_width;
  return takes_gate && (is_open || is_wish_for_straight(asked));
}

/// Along lines they come element by element, or out of two chunks each.
bool may_be_dots(Asked& asked) {
  return may_be_direct(asked) && may_be_dot_products(asked.problem, asked.config) &&
         (is_wish_for_straight(asked) || !may_be_lines(asked.problem, asked.config));
}
void for_dots(const Asked& asked, const MmaAtom& /*multiply_add*/, const LookAtTile& look) {
  for (const Tile& tile : dot_tiles(asked.problem))
    if (!is_generic(asked) || is_generic_dot(tile)) look(tile);
}

bool may_have_lines(Asked& asked) {
  return may_be_direct(asked) && may_be_lines(asked.problem, asked.config);
}
template <MmaForm kForm>
Atoms atoms_along_lines(Asked& asked) {
  Atoms atoms = atoms_of_lines(asked.atoms(), asked.problem);
  std::erase_if(atoms, [](const MmaAtom* atom) { return atom->form != kForm; });
  return atoms;
}
void for_lines(const Asked& asked, const MmaAtom& atom, const LookAtTile& look) {
  for (const Tile& tile : line_tiles(atom, asked.problem, asked.device)) look(tile);
}

bool may_have_fragments(Asked& asked) {
  return may_be_direct(asked) &&
         (is_wish_for_straight(asked) || may_be_straight(asked.problem, asked.device));
}
/// Problems that share kernels have none of these: each would be one more.
bool may_have_lanes(const Asked& asked) {
  return is_ranked_but_for_atom(asked.config) && !is_generic(asked);
}
/// Who wishes for them may have those of every instruction.
Atoms atoms_of_fragments(Asked& asked) {
  Atoms atoms;
  for (const MmaAtom& atom : asked.atoms())
    if (atom.form == MmaForm::mma ||
        (atom.form == MmaForm::fma && is_wish_for_straight(asked) && !may_have_lanes(asked)))
      atoms.push_back(&atom);
  if (!is_wish_for_straight(asked) && !atoms.empty()) atoms.resize(1);
  return atoms;
}
void for_fragments(const Asked& asked, const MmaAtom& atom, const LookAtTile& look) {
  for (const Tile& tile :
       straight_tiles(atom, asked.problem, asked.device, asked.config.specialize))
    look(tile);
}
/// The law expects too little of kernels that take long, but not of those whose operands others
/// would copy, nor of those that are all of a product, which read nothing twice, however many
/// products there are.
bool are_fragments_believed(double clocks, const Block& block, const Asked& asked) {
  const KernelProblem& problem = asked.problem;
  const bool is_whole = problem.batch.value > most_blocks_at_once(asked.device) &&
                        static_cast<double>(problem.m.value) <= block.m &&
                        static_cast<double>(problem.n.value) <= block.n;
  return is_whole || is_wish_for_straight(asked) || needs_copies(problem) ||
         clocks <= fitted::kLongestStraight;
}

bool may_be_lanes(Asked& asked) {
  return may_be_direct(asked) && (asked.is_for_threads() || is_wish_for_straight(asked)) &&
         may_have_lanes(asked);
}
double multiply_adds_of_lanes(const Asked& asked, const FamilyLaw& law) {
  const KernelProblem& problem = asked.problem;
  return elements_of_d(problem.m.value, problem.n.value, problem.batch.value) *
         static_cast<double>(problem.k.value) / law.rates.multiply_adds / law.rates.sms *
         std::max(law.of.product, law.rates.of_fastest_clock);
}

// --- By tiles in shared memory. ---

bool may_have_thread_groups(Asked& asked) {
  const bool is_wish = asked.config.main_loop == MainLoop::warp_specialised;
  return asked.is_for_threads() && (is_ranked(asked.config) || is_wish) &&
         !needs_copies(asked.problem) && suits_thread_groups(asked.device);
}
void for_groups_of_threads(const Asked& asked, const MmaAtom& /*any*/, const LookAtTile& look) {
  const auto look_at = [&](int m, int n) { look(thread_group_tile(m, n)); };
  if (const std::optional<TileShape>& tile = asked.config.tile) return look_at(tile->m, tile->n);
  for_thread_groups(asked.problem, asked.device, look_at);
}

bool may_have_thread_tiles(Asked& asked) {
  return asked.is_for_threads() && is_ranked(asked.config) && !is_generic(asked) &&
         may_be_staged(asked.problem, asked.device);
}

/// Stored elements, which are the kernel's A, are multiplied so where that is asked for.
bool may_have_warpgroups(Asked& asked) {
  const KernelProblem& problem = asked.problem;
  if (!suits(kWgmmaNeeds, problem, asked.device)) return false;
  if (!has_stored(problem)) return !is_ranked(asked.config) || asked.has_wgmma();
  const bool is_b = problem.b.stored.has_value();
  return asked.config.main_loop == MainLoop::warp_specialised &&
         asked.own_config.swapped.value_or(is_b) == is_b;
}

bool may_have_warp_groups(Asked& asked) {
  return asked.are_warps_ranked() && !needs_copies(asked.problem) &&
         suits_warp_groups(asked.problem, asked.device);
}

template <Family kFamily>
bool may_have_warp_tiles(Asked& asked) {
  return asked.are_warps_ranked() && suits_warp_tiles(asked.problem, asked.device) &&
         warp_tiles_of(asked.problem, asked.device) == kFamily;
}

constexpr size_t kDirect = 4, kFragments = 2, kStaged = 6, kWarpgroups = 10;
constexpr CutRule kWhole{}, kFilling{.most = 32, .are_filling = true, .has_tails = true};

// clang-format off
constexpr auto kFamilyTiles = std::to_array<FamilyTiles>({
  {Family::dot_products, kDirect, may_be_dots, multiply_add, for_dots},
  {Family::line_warps, kDirect, may_have_lines, atoms_along_lines<MmaForm::mma>, for_lines},
  {Family::line_threads, kDirect, may_have_lines, atoms_along_lines<MmaForm::fma>, for_lines},
  {.family = Family::straight_tiles, .most = kFragments, .may = may_have_fragments,
   .atoms = atoms_of_fragments, .for_tiles = for_fragments, .worth = kWorthOfStraight,
   .is_believed = are_fragments_believed},
  {Family::thread_groups, kStaged, may_have_thread_groups, first_atom, for_groups_of_threads,
   {.most = 128, .step = 1 << 8, .has_tails = true}},
  {Family::threads_async, kStaged, may_have_thread_tiles, first_atom, all<for_thread_tiles>, kFilling},
  {.family = Family::lane_tiles, .most = kDirect, .may = may_be_lanes, .atoms = multiply_add,
   .for_tiles = all<for_lane_tiles>, .least = multiply_adds_of_lanes},
  {.family = Family::warpgroups, .most = kWarpgroups, .may = may_have_warpgroups, .worth = kWorthOfGroups,
   .look = look_at_warpgroups, .candidates = candidates_of_warpgroups},
  {Family::warp_groups, kStaged, may_have_warp_groups, first_atom, all<for_warp_groups>,
   {.most = 32, .step = 4, .most_of_sm = 2}},
  {Family::warps_async, kStaged, may_have_warp_tiles<Family::warps_async>, first_atom,
   all<for_warp_tiles>, kFilling},
  {Family::warps_registers, kStaged, may_have_warp_tiles<Family::warps_registers>, first_atom,
   all<for_warp_tiles>, kFilling},
});
// clang-format on

/// Do shared memory, registers and the grid hold it?
bool fits(const Block& block, const FamilyRow& family, const Asked& asked) {
  // Registers: bench/results/2026-11-28-choices-of-other-types.md.
  constexpr double kMostOnItsWay = 48;
  const KernelProblem& problem = asked.problem;
  const TileShape tile{static_cast<int>(block.m), static_cast<int>(block.n), 0};
  return block.smem_bytes <= static_cast<double>(asked.device.smem_bytes_per_block) &&
         block.on_the_way <= kMostOnItsWay &&
         (family.transfer != Transfer::straight ||
          fits_grid(tile, problem.m.value, problem.n.value, problem.batch.value));
}

void look_at_tiles(const FamilyTiles& row, const Atoms& atoms, const Asked& asked,
                   Fastest<RankedTile>& best) {
  const KernelProblem& problem = asked.problem;
  const FamilyRow& family = row_of(row.family);
  const CutRule& cuts = asked.config.split_k == 1 ? kWhole : row.cuts;
  for (const MmaAtom* const atom : atoms) {
    const FamilyLaw law =
        law_of(row.family, atom->form, problem.a.type, problem.accumulate, asked.device);
    if (row.least != nullptr && row.least(asked, law) >= best.limit()) continue;
    row.for_tiles(asked, *atom, [&](const Tile& tile) {
      const Block block = block_of(row.family, *atom, tile, problem, asked.device);
      if (!fits(block, family, asked)) return;
      const Grid grid = grid_of(block, problem);
      const ClocksOfCuts clocks_of(block, grid, law.rates, law.of);
      for_cuts(cuts, block, grid, clocks_of.resident(), problem, asked.device, [&](const Cut& cut) {
        const double clocks = clocks_of(cut, best.limit()).clocks;
        if (clocks >= best.limit()) return;
        RankedTile one{clocks, tile, atom};
        one.tile.split_k = cut.split_k;
        one.tile.whole_tiles = cut.whole_tiles;
        if (family.transfer == Transfer::tma)
          one.tile.release = release_for(cut.split_k * grid.tiles, asked.device);
        best.add(std::move(one));
      });
    });
  }
}

/// Tiles of the short list that problems share, or of all.
std::vector<RankedTile> ranked_tiles(const FamilyTiles& row, const Atoms& atoms, Asked& asked,
                                     const RankedList& list, bool are_shared) {
  const size_t most = std::min(row.most, list.most());
  Fastest<RankedTile> best(are_shared ? kAllCandidates : most,
                           are_shared ? kNoLimit : list.limit());
  if (row.look != nullptr)
    row.look(asked, are_shared, best);
  else
    look_at_tiles(row, atoms, asked, best);
  if (are_shared) best.keep_early(row.worth);
  std::vector<RankedTile> tiles = std::move(best).list();
  tiles.resize(std::min(most, tiles.size()));
  return tiles;
}

std::vector<RankedCandidate> ranked(const FamilyTiles& row, const Atoms& atoms, Asked& asked,
                                    const RankedList& list) {
  const bool are_shared = is_generic(asked) && row.worth > 0;
  std::vector<RankedTile> tiles = ranked_tiles(row, atoms, asked, list, are_shared);
  if (are_shared && tiles.empty()) tiles = ranked_tiles(row, atoms, asked, list, false);
  std::vector<RankedCandidate> all;
  for (RankedTile& one : tiles) {
    if (row.candidates != nullptr) {
      for (Candidate& each : row.candidates(asked, one.tile))
        all.push_back({one.clocks, std::move(each)});
      continue;
    }
    const auto block = [&] {
      return block_of(row.family, *one.atom, one.tile, asked.problem, asked.device);
    };
    if (row.is_believed == nullptr || row.is_believed(one.clocks, block(), asked))
      all.push_back({one.clocks, {*one.atom, row.family, one.tile}});
  }
  return all;
}

/// No instruction that the caller's wish leaves open takes less than the better one's.
void add_family(const FamilyTiles& row, Asked& asked, RankedList& list) {
  const Atoms atoms = row.atoms == nullptr ? Atoms{} : row.atoms(asked);
  // Dot products are for few rows, tensor cores for more.
  double least = row.family == Family::lane_tiles && is_wish_for_straight(asked)
                     ? std::max(list.last(), 0.0)
                     : 0;
  const auto add = [&](const Atoms& some) {
    for (RankedCandidate& one : ranked(row, some, asked, list)) {
      one.clocks = least = std::max(one.clocks, least);
      list.add(std::move(one));
    }
  };
  if (!is_wish_for_straight(asked)) return add(atoms);
  for (const MmaAtom* const atom : atoms) add({atom});
}

}  // namespace

void add_families(Asked& asked, RankedList& list, Readers readers) {
  for (const FamilyTiles& row : kFamilyTiles)
    if (are_among(readers, row.family) && row.may(asked)) add_family(row, asked, list);
  add_table_rows(asked, list, readers);
}

}  // namespace jute::plan

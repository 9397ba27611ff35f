// Warps' instructions, threads' multiply-adds and dot products, held against what others take.
#include "plan/choose/straight_rows.hpp"

#include <limits>

#include "plan/ask/wish_rules.hpp"
#include "plan/choose/ranked/ranked_dot_tiles.hpp"
#include "plan/choose/ranked/ranked_lane_tiles.hpp"
#include "plan/choose/ranked/ranked_line_tiles.hpp"
#include "plan/choose/ranked/ranked_straight_tiles.hpp"
#include "plan/cost/tiles/direct_amounts.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/straight_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr size_t kRankedTiles = 2, kRankedLanes = 4;
constexpr double kAny = std::numeric_limits<double>::infinity();  // rival of others

std::vector<RankedOf<LaneTile>> ranked_lanes(const KernelProblem& problem, const DeviceInfo& device,
                                             const Config& config) {
  if (config.specialize == Specialize::generic) return {};  // each would be a kernel of its own
  return ranked_lane_tiles(problem, device, kRankedLanes);
}

double clocks_of_straight(const StraightTile& tile, const MmaAtom& atom,
                          const KernelProblem& problem, const DeviceInfo& device) {
  const StraightWork work = work_of(atom, tile, problem);
  return straight_clocks(work, problem, device, law_of_straight(work, problem, device));
}

/// The rows, and the clocks of the first of them.
struct StraightRows {
  std::vector<Candidate> list;
  std::optional<double> clocks;
};

/// Of every atom.
StraightRows wished_rows(const KernelProblem& problem, const DeviceInfo& device,
                         const Config& config, const std::vector<MmaAtom>& atoms) {
  const bool may_be_lanes =
      is_ranked_but_for_atom(config) && config.specialize != Specialize::generic;
  StraightRows rows;
  const auto add = [&](Candidate candidate, double clocks) {
    rows.list.push_back(std::move(candidate));
    if (!rows.clocks) rows.clocks = clocks;
  };
  for (const MmaAtom& atom : atoms) {
    if (is_wgmma(atom.form)) continue;
    if (atom.form == MmaForm::fma && may_be_lanes)
      for (const RankedOf<LaneTile>& one : ranked_lanes(problem, device, config))
        add({atom, one.tile}, one.clocks);
    else
      for (const StraightTile& tile :
           ranked_straight_tiles(atom, problem, device, kRankedTiles, config.specialize))
        add({atom, tile}, clocks_of_straight(tile, atom, problem, device));
  }
  return rows;
}

/// Does the model expect less of it than of every kernel that brings tiles to shared memory, with
/// the copies of operands that those read?
bool is_faster_straight(const MmaAtom& atom, const StraightTile& tile, const KernelProblem& problem,
                        const DeviceInfo& device, BestStaged& staged, Others others) {
  constexpr double kTiny = 8600;  // clocks: no problem that takes longer is one for these
  const TileShape covered = work_of(atom, tile, problem).tile;
  if (!fits_grid(covered, problem.m.value, problem.n.value, problem.batch.value)) return false;
  const double clocks = clocks_of_straight(tile, atom, problem, device);
  // A tile that is all of a product reads nothing twice, however many products there are.
  const bool is_whole = problem.batch.value > most_blocks_at_once(device) &&
                        problem.m.value <= covered.m && problem.n.value <= covered.n;
  if (!is_whole && clocks > kTiny + copies_clocks(problem, device)) return false;  // far from it
  return clocks < other_clocks(problem, device, staged, others, clocks);
}

/// Those of tensor cores.
StraightRows faster_tiles(const MmaAtom& atom, const KernelProblem& problem,
                          const DeviceInfo& device, const Config& config, BestStaged& staged,
                          Others others) {
  StraightRows rows;
  const std::vector<StraightTile> tiles =
      ranked_straight_tiles(atom, problem, device, kRankedTiles, config.specialize);
  if (tiles.empty() || !is_faster_straight(atom, tiles[0], problem, device, staged, others))
    return rows;
  for (const StraightTile& tile : tiles) rows.list.push_back({atom, tile});
  rows.clocks = clocks_of_straight(tiles[0], atom, problem, device);
  return rows;
}

/// Those without.
StraightRows faster_lanes(const MmaAtom& atom, const KernelProblem& problem,
                          const DeviceInfo& device, const Config& config, BestStaged& staged) {
  StraightRows rows;
  const double others = other_clocks(problem, device, staged, Others::threads, kAny);
  if (least_lane_clocks(problem, device) >= others) return rows;
  const std::vector<RankedOf<LaneTile>> lanes = ranked_lanes(problem, device, config);
  if (lanes.empty() || lanes[0].clocks >= others) return rows;
  for (const RankedOf<LaneTile>& one : lanes) rows.list.push_back({atom, one.tile});
  rows.clocks = lanes[0].clocks;
  return rows;
}

/// What the first of these is expected to take, and every other kernel where there is none.
double clocks_of_first(const std::vector<Candidate>& list, std::optional<double> clocks,
                       const KernelProblem& problem, const DeviceInfo& device, BestStaged& staged,
                       Others others) {
  if (list.empty()) return other_clocks(problem, device, staged, others, kAny);
  const auto* dots = std::get_if<DotTile>(&list[0].tile);
  if (dots != nullptr) return dot_clocks(*dots, problem, device, law_of_dots(problem, device));
  return *clocks;
}

/// Ahead of them, where less is expected of whole chunks of lines; at least behind, where straight
/// kernels are asked for.
std::vector<Candidate> with_lines(std::vector<Candidate> list, double clocks,
                                  const std::vector<MmaAtom>& atoms, const KernelProblem& problem,
                                  const DeviceInfo& device, const Config& config) {
  constexpr size_t kRanked = 4;
  const std::vector<RankedLines> lines = ranked_line_tiles(problem, device, atoms, kRanked);
  const bool is_faster = !lines.empty() && lines[0].clocks < clocks;
  if (!is_faster && config.main_loop != MainLoop::straight) return list;
  std::vector<Candidate> rows;
  for (const RankedLines& one : lines) rows.push_back({one.atom, one.tile});
  list.insert(is_faster ? list.begin() : list.end(), rows.begin(), rows.end());
  return list;
}

/// `rows`, the straight kernels that the planner would take, behind those of dot products where the
/// model expects less of these than of the first of them, or of every other kernel where there is
/// none. What the caller wishes stands behind them at least.
std::vector<Candidate> with_dot_products(std::vector<Candidate> rows,
                                         std::optional<double> clocks_of_first,
                                         const std::vector<MmaAtom>& atoms,
                                         const KernelProblem& problem, const DeviceInfo& device,
                                         const Config& config, BestStaged& staged, Others others) {
  constexpr size_t kRanked = 4;
  const auto fma = std::ranges::find(atoms, MmaForm::fma, &MmaAtom::form);
  if (fma == atoms.end() || !may_be_dot_products(problem, config)) return rows;
  const std::vector<DotTile> tiles = ranked_dot_tiles(problem, device, kRanked, config.specialize);
  if (tiles.empty()) return rows;
  const double clocks = dot_clocks(tiles[0], problem, device, law_of_dots(problem, device));
  const double other =
      clocks_of_first ? *clocks_of_first : other_clocks(problem, device, staged, others, clocks);
  const bool is_wish = config.main_loop == MainLoop::straight;
  if (!is_wish && clocks >= other) return rows;
  // Whoever wishes for straight kernels without tensor cores means these of few rows.
  const bool is_meant = is_wish && !rows.empty() && rows[0].atom.form == MmaForm::fma;
  const auto at = clocks < other || is_meant ? rows.begin() : rows.end();
  std::vector<Candidate> dots;
  for (const DotTile& tile : tiles) dots.push_back({*fma, tile});
  rows.insert(at, dots.begin(), dots.end());
  return rows;
}

}  // namespace

std::vector<Candidate> lane_rows(const MmaAtom& atom, const KernelProblem& problem,
                                 const DeviceInfo& device, const Config& config) {
  std::vector<Candidate> rows;
  for (const RankedOf<LaneTile>& one : ranked_lanes(problem, device, config))
    rows.push_back({atom, one.tile});
  return rows;
}

std::vector<Candidate> straight_rows(const KernelProblem& problem, const DeviceInfo& device,
                                     const Config& config, const std::vector<MmaAtom>& atoms,
                                     BestStaged& staged, Others others) {
  StraightRows rows;
  if (config.main_loop == MainLoop::straight) {
    rows = wished_rows(problem, device, config, atoms);
  } else if (may_be_straight(problem, device)) {
    const MmaAtom& atom = atoms.front();
    rows = others == Others::threads ? faster_lanes(atom, problem, device, config, staged)
                                     : faster_tiles(atom, problem, device, config, staged, others);
  }
  const auto clocks = rows.clocks;
  const bool may_be = may_be_lines(problem, config);
  // Dot products along lines come element by element, or out of two chunks each.
  std::vector<Candidate> list = may_be && config.main_loop != MainLoop::straight
                                    ? std::move(rows.list)
                                    : with_dot_products(std::move(rows.list), clocks, atoms,
                                                        problem, device, config, staged, others);
  if (!may_be) return list;
  const double first = clocks_of_first(list, clocks, problem, device, staged, others);
  return with_lines(std::move(list), first, atoms, problem, device, config);
}

}  // namespace jute::plan

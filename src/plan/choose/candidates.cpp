// The search for candidates: rows of tables that suit a problem, and what models rank beside them.
#include "plan/choose/candidates.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/choose/candidate_search.hpp"
#include "plan/choose/ranked/gated_tiles.hpp"
#include "plan/choose/ranked/ranked_stored_tiles.hpp"
#include "plan/choose/ranked_rows.hpp"
#include "plan/choose/straight_rows.hpp"
#include "plan/choose/wishes.hpp"
#include "plan/shapes/candidate_rows.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/straight_tiles.hpp"
#include "plan/shapes/tile_ways.hpp"

namespace jute::plan {
namespace {

// clang-format off
/// Shapes of mma.sync by the bytes of its operands, those that do more at once first; what has
/// another shape comes after these.
struct InstructionRow { int operand_bytes; ShapeMnk shape; };

constexpr std::array kInstructions{
  InstructionRow{1, {16, 8, 32}}, InstructionRow{1, {8, 8, 16}},
  InstructionRow{2, {16, 8, 16}}, InstructionRow{2, {16, 8, 8}},
  InstructionRow{4, {16, 8, 8}},
  InstructionRow{8, {16, 8, 8}},  InstructionRow{8, {8, 8, 4}},
};

// clang-format on

/// Position of the atom's shape among those that are preferred.
size_t preference(const MmaAtom& atom, const KernelProblem& problem) {
  const int bytes = width_bytes(problem.a.type);
  return static_cast<size_t>(std::ranges::find_if(kInstructions,
                                                  [&](const InstructionRow& row) {
                                                    return row.operand_bytes == bytes &&
                                                           row.shape == atom.shape;
                                                  }) -
                             kInstructions.begin());
}

std::string multiply_add_name(const KernelProblem& problem) {
  const auto cute = [](DType type) { return std::string(value_type(type).cute); };
  const std::string a = cute(problem.a.type), b = cute(problem.b.type);
  const std::string c = cute(problem.accumulate);
  return a == c && b == c ? base::format("UniversalFMA<{}>", c)
                          : base::format("UniversalFMA<{},{},{},{}>", c, a, b, c);
}

/// The caller's atom; else those of tensor cores that multiply the types, best first, and then the
/// threads' own.
std::vector<MmaAtom> atoms(const KernelProblem& problem, const DeviceInfo& device,
                           const Config& config, const Catalogue& catalogue) {
  if (config.mma_atom) return {catalogue.mma(*config.mma_atom)};
  std::vector<MmaAtom> result = catalogue.mmas(
      MmaForm::mma, device.arch, {problem.a.type, problem.b.type, problem.accumulate});
  std::ranges::stable_sort(result, {},
                           [&](const MmaAtom& atom) { return preference(atom, problem); });
  result.push_back(catalogue.mma(multiply_add_name(problem)));
  return result;
}

template <class Rows>
void add_rows(std::vector<Candidate>& list, const Rows& rows, const MmaAtom& atom,
              const KernelProblem& problem, const DeviceInfo& device) {
  for (const auto& row : rows)
    if (suits(row.needs, problem, device)) list.push_back({atom, row.tile});
}

/// The widest instruction of which whole ones make the tile. Where sums are multiplied by scales,
/// its own fit beside those of the tile (adds_by_instruction).
int instruction_n(const WarpgroupTile& row, const KernelProblem& problem, const Config& config) {
  constexpr int kWidest = 256, kUnit = 8, kGroupRows = 64, kMostSums = 192;
  const int n = (config.tile ? config.tile->n : row.n) / row.atoms_n;
  const int rows = (config.tile ? config.tile->m : row.m) / row.atoms_m;
  const bool is_scaled = problem.a.scales || problem.b.scales;
  const auto fits = [&](int part) {
    return !is_scaled || (rows / kGroupRows * n + part) / 2 <= kMostSums;
  };
  for (int parts = 1; parts <= n / kUnit; ++parts)
    if (n % (parts * kUnit) == 0 && n / parts <= kWidest && fits(n / parts)) return n / parts;
  return kUnit;
}

/// What the row's instruction multiplies, and how it finds that in shared memory.
MmaTypes types_for(const GroupRow& row, const KernelProblem& problem, const Config& config) {
  const bool is_swapped = row.tile.swapped;
  const KernelMatrix &a = is_swapped ? problem.b : problem.a,
                     &b = is_swapped ? problem.a : problem.b;
  MmaTypes types{a.type, b.type, problem.accumulate};
  if (!is_wgmma(row.form)) return types;
  types.n = instruction_n(row.tile, problem, config);
  types.a_major = a.major;
  types.b_major = b.major;
  return types;
}

void add_group_row(std::vector<Candidate>& list, const GroupRow& row, const KernelProblem& problem,
                   const DeviceInfo& device, const Config& config, const Catalogue& catalogue) {
  if (!suits(row.needs, problem, device)) return;
  if (config.mma_atom) {
    MmaAtom atom = catalogue.mma(*config.mma_atom);
    if (atom.form == row.form) list.push_back({std::move(atom), row.tile});
  } else {
    for (MmaAtom& atom : catalogue.mmas(row.form, device.arch, types_for(row, problem, config)))
      list.push_back({std::move(atom), row.tile});
  }
}

/// Groups of consumers that share the rows of the caller's tile. A team is one group where its
/// registers hold the accumulators.
int groups_for(const TileShape& tile, int ping_pong) {
  constexpr Index kMostAlone = 128 * 200;  // accumulators of a group in turns
  if (tile.m == 64 || (ping_pong > 1 && Index{tile.m} * tile.n <= kMostAlone)) return 1;
  return tile.m % 192 == 0 ? 3 : 2;
}

/// The caller's tile, whose groups are one row of instructions each, and what goes with it.
GroupRow wgmma_row(const KernelProblem& problem, const DeviceInfo& device, const Config& config) {
  constexpr Index kMostBytes = 1 << 20;  // of K in a stage: more than shared memory has
  GroupRow row = kWgmmaRow;
  if (config.tile) row.tile.atoms_m = groups_for(*config.tile, config.ping_pong.value_or(1));
  row.tile.swapped = config.swapped.value_or(false);
  WarpgroupTile wish = row.tile;
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

/// Straight kernels suit warps' instructions, and what the caller leaves open.
bool is_open_to_straight(const Config& config) {
  return is_ranked(config) && !config.main_loop && !config.stages && !config.pad &&
         !config.transpose && !config.raster_width;
}

/// The caller's atom reads operands from shared memory, and nothing brings them there as it wants.
[[noreturn]] void refuse_atom(const KernelProblem& problem, const DeviceInfo& device, Config config,
                              const Catalogue& catalogue) {
  const std::string atom = *std::exchange(config.mma_atom, std::nullopt);
  throw Exception(
      {.code = ErrorCode::illegal_config,
       .operand = "mma_atom",
       .value = atom,
       .violated_rules = {"the atom must be one that kernels are generated for: a multiply-add of "
                          "one thread (fma), an mma.sync of whole warps (mma), or a wgmma that "
                          "reads both operands from shared memory (wgmma_ss), for which rows of A "
                          "and B must begin at multiples of 16 bytes"},
       .nearest_legal = candidates(problem, device, config, catalogue).front().atom.name});
}

}  // namespace

bool needs_groups(const Config& config, const Catalogue& catalogue) {
  if (config.main_loop) return *config.main_loop == MainLoop::warp_specialised;
  if (config.mma_atom) return is_wgmma(catalogue.mma(*config.mma_atom).form);
  return wishes_for_roles(config);
}

std::vector<Candidate> candidates_for(const WarpgroupTile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device, const Config& config,
                                      const Catalogue& catalogue) {
  std::vector<Candidate> list;
  add_group_row(list, {MmaForm::wgmma_ss, kWgmmaNeeds, tile}, problem, device, config, catalogue);
  return list;
}

std::vector<Candidate> candidates(const KernelProblem& problem, const DeviceInfo& device,
                                  const Config& config, const Catalogue& catalogue) {
  return CandidateSearch(problem, device, config, catalogue, kAllCandidates).candidates();
}
namespace {

/// Tiles of warp-specialised kernels that are candidates.
constexpr size_t kMostRanked = 10;

}  // namespace

CandidateSearch::CandidateSearch(const KernelProblem& problem, const DeviceInfo& device,
                                 const Config& config, const Catalogue& catalogue, size_t most)
    : own_(problem),
      own_config_(config),
      problem_(whole_product(problem)),
      device_(device),
      config_(for_whole_product(config, problem)),
      catalogue_(catalogue),
      most_(has_wishes(config) || problem.gate ? kAllCandidates : most),
      staged_(problem_, device, config_, std::min(kMostRanked, most_)) {}

const std::vector<MmaAtom>& CandidateSearch::atoms() {
  if (!atoms_) atoms_ = plan::atoms(problem_, device_, config_, catalogue_);
  return *atoms_;
}

bool CandidateSearch::has_wgmma() {
  if (!has_wgmma_) {
    const MmaTypes types = types_for(kWgmmaRow, problem_, config_);
    has_wgmma_ = !catalogue_.mmas(MmaForm::wgmma_ss, device_.arch, types).empty();
  }
  return *has_wgmma_;
}

Others CandidateSearch::others() {
  if (atoms().front().form == MmaForm::fma) return Others::threads;
  return has_wgmma() ? Others::specialised : Others::staged;
}

namespace {

/// Lies a gate's half ahead of the other, in whole vectors?
bool takes_gate_straight(const KernelProblem& problem) {
  return problem.gate->is_beside && problem.a.access_bytes >= kChunk &&
         problem.b.access_bytes >= kChunk;
}

}  // namespace

const std::vector<Candidate>& CandidateSearch::straight() {
  if (straight_) return *straight_;
  if (own_.gate && !takes_gate_straight(own_)) return straight_.emplace();
  const bool is_wish = config_.main_loop == MainLoop::straight;
  const bool may_be = is_open_to_straight(config_) &&
                      (may_be_straight(problem_, device_) ||
                       may_be_dot_products(problem_, config_) || may_be_lines(problem_, config_));
  straight_ = is_wish || may_be
                  ? straight_rows(problem_, device_, config_, atoms(), staged_, others())
                  : std::vector<Candidate>();
  return *straight_;
}

void CandidateSearch::add_groups(std::vector<Candidate>& list) {
  // An instruction of warpgroups is as wide as its half of a gated tile.
  const auto add = [&](GroupRow row) {
    constexpr ShapeMnk kLeast{64, 8, 16};
    if (is_wgmma(row.form)) row.tile = gated_tile(row.tile, kLeast, own_);
    add_group_row(list, row, problem_, device_, own_config_, catalogue_);
  };
  const auto add_ranked = [&] {
    const size_t before = list.size();
    const auto add_tiles = [&] {
      for (const RankedTile& ranked : staged_.tiles())
        if (list.size() < most_) add({MmaForm::wgmma_ss, kWgmmaNeeds, ranked.tile});
    };
    add_tiles();
    // The chip has no instruction for some of their widths.
    if (list.size() >= most_ || !staged_.tiles.rank_more(kMostRanked)) return;
    list.resize(before);
    add_tiles();
  };
  const bool is_stored = has_stored(problem_);
  if (is_stored && config_.main_loop == MainLoop::warp_specialised &&
      suits(kWgmmaNeeds, problem_, device_))
    add_of_stored(list);
  if (!is_stored && suits(kWgmmaNeeds, problem_, device_)) {
    if (!is_ranked(config_))
      add(wgmma_row(problem_, device_, config_));
    else if (has_wgmma())
      add_ranked();
  }
  const bool are_for_warps = is_stored || !has_wgmma() || needs_copies(problem_) ||
                             problem_.c.view || problem_.d.view || has_row_tables(problem_) ||
                             config_.main_loop == MainLoop::multistage;
  if (is_ranked(config_) && are_for_warps && atoms().front().form == MmaForm::mma)
    std::ranges::move(
        ranked_warp_rows(atoms().front(), problem_, device_, staged_, most_ - list.size()),
        std::back_inserter(list));
  if (config_.mma_atom)
    for (const GroupRow& row : kNamedGroupRows) add(row);
  if (config_.main_loop)
    for (const GroupRow& row : kWishedGroupRows) add(row);
}

/// Of an operand that instructions take from registers, A of the kernel: by stages of twice as much
/// of K where these are many.
void CandidateSearch::add_of_stored(std::vector<Candidate>& list) {
  constexpr int kWide = 2 * kLine, kMostColumns = 128;
  Config config = own_config_;
  const bool is_swapped = problem_.b.stored.has_value();
  if (config.swapped.value_or(is_swapped) != is_swapped) return;
  config.swapped = is_swapped;
  const auto add = [&](const WarpgroupTile& tile) {
    add_group_row(list, {MmaForm::wgmma_rs, kWgmmaNeeds, tile}, problem_, device_, config,
                  catalogue_);
  };
  if (!is_ranked(config)) return add(wgmma_row(problem_, device_, config).tile);
  const Index wide = kWide / width_bytes(problem_.a.type);
  for (WarpgroupTile& tile : ranked_stored_tiles(problem_, device_, config, kMostRanked)) {
    if (tile.n <= kMostColumns && problem_.k.value % wide == 0) tile.k_bytes = kWide;
    add(tile);
  }
}

void CandidateSearch::add_others(std::vector<Candidate>& list) {
  const auto append = [&](std::vector<Candidate> rows) {
    std::ranges::move(rows, std::back_inserter(list));
  };
  for (const MmaAtom& atom : atoms())
    if (atom.form == MmaForm::fma) {
      const bool is_first = &atom == &atoms().front();  // no tensor core multiplies the types
      if (is_first)
        append(ranked_thread_rows(atom, problem_, config_, staged_, most_ - list.size()));
      append(thread_rows(atom, problem_, device_));
      if (is_first && list.size() < most_ && straight().empty() && is_open_to_straight(config_))
        append(lane_rows(atom, problem_, device_, config_));
    } else if (!is_wgmma(atom.form))
      add_rows(list, kWarpRows, atom, problem_, device_);
}

Copies CandidateSearch::copies_for_warps() {
  if (config_.pad || !needs_copies(problem_)) return Copies::worthwhile;
  const bool are_threads = atoms().front().form == MmaForm::fma;
  if (config_.main_loop)
    return are_threads && *config_.main_loop == MainLoop::warp_specialised ? Copies::unaligned
                                                                           : Copies::worthwhile;
  if (!is_ranked(config_)) return Copies::worthwhile;
  const bool pay = are_threads ? copies_pay_for_threads(problem_, device_, staged_)
                               : copies_pay_for_warps(problem_, device_, staged_);
  if (pay) return Copies::unaligned;
  const bool are_ranked =
      are_threads ? !staged_.threads().empty() : !staged_.copying_warps().empty();
  return are_ranked ? Copies::none : Copies::worthwhile;
}

void CandidateSearch::keep_gated(std::vector<Candidate>& list) const {
  std::vector<Candidate> able;
  for (Candidate& one : list) {
    halve(one);
    const TileWays& ways = ways_of(one);
    if (own_.gate->is_beside ? ways.takes_halves : ways.takes_pairs) able.push_back(one);
  }
  // Where none is able, the first one's refusal says why.
  if (!able.empty()) list = std::move(able);
}

/// What no instruction of warpgroups was chosen for.
void CandidateSearch::halve(Candidate& candidate) const {
  if (auto* threads = std::get_if<ThreadTile>(&candidate.tile))
    *threads = gated_tile(*threads, own_);
  if (auto* warps = std::get_if<WarpTile>(&candidate.tile))
    *warps = gated_tile(*warps, candidate.atom.shape, own_);
  if (auto* tile = std::get_if<StraightTile>(&candidate.tile)) *tile = gated_tile(*tile, own_);
  if (auto* tile = std::get_if<LaneTile>(&candidate.tile)) *tile = gated_tile(*tile, own_);
  if (auto* tile = std::get_if<DotTile>(&candidate.tile)) *tile = gated_tile(*tile, own_);
  if (auto* groups = std::get_if<WarpgroupTile>(&candidate.tile);
      groups != nullptr && !is_wgmma(candidate.atom.form))
    *groups = gated_tile(*groups, candidate.atom.shape, own_);
}

std::vector<Candidate> CandidateSearch::candidates() {
  std::vector<Candidate> list = straight();
  if (list.size() < most_) add_groups(list);
  if (list.size() < most_) add_others(list);
  if (own_.gate) keep_gated(list);
  if (list.empty()) refuse_atom(problem_, device_, config_, catalogue_);
  return with_wishes(std::move(list), config_);
}

}  // namespace jute::plan

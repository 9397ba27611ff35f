// The tables that planning chooses from, and the rows of them that suit a problem.
#include "plan/candidates.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/format.hpp"
#include "plan/cost_model.hpp"
#include "plan/dot_products.hpp"
#include "plan/mma_rules.hpp"
#include "plan/parameters.hpp"
#include "plan/promotion.hpp"
#include "plan/ranked_tiles.hpp"
#include "plan/straight_cost.hpp"
#include "plan/thread_groups.hpp"

namespace jute::plan {
namespace {

/// Types of operands that rows differ for.
enum class Operands : std::uint8_t { any, f64, fp8 };

/// What a row needs of a problem and a chip.
struct Needs {
  Operands operands = Operands::any;
  int arch = 0;              ///< the first that the row is for
  int next_arch = 1000;      ///< the first that it is no more for
  int access_bytes = 1;      ///< of both operands: cp.async moves 4 at least
  int smem_kib = 0;          ///< of a block
  Index n = 0;               ///< the least literal N
  bool whole_reads = false;  ///< no operand is gathered element by element from its tile
  TileShape fills{};         ///< of which the chip must have one for each SM
  Index k_bytes = 0;         ///< the most that K has; 0: any
};

struct GroupRow {
  MmaForm form;
  Needs needs;
  GroupTile tile;
};
struct WarpRow {
  Needs needs;
  WarpTile tile;
};
struct ThreadRow {
  Needs needs;
  ThreadTile tile;
};

// A producer and groups of consumers; TMA moves rows that begin at multiples of 16 bytes.
constexpr Needs kWgmmaNeeds{Operands::any, 90, 100, 16, 220, 0, false};
// Where the caller fixes what tiles are ranked by.
constexpr GroupRow kWgmmaRow{
    MmaForm::wgmma_ss, kWgmmaNeeds, {128, 256, 128, 2, 1, 8, {1, 1}, FirstStages::by_initialiser}};
// mma.sync reads what TMA has written as well: only where the caller asks for it.
constexpr std::array kWishedGroupRows{
    GroupRow{
        MmaForm::mma, {Operands::any, 90, 1000, 16, 0, 0, false}, {128, 128, 128, 2, 4, 8, {1, 1}}},
};
// The first row that fits is preferred. Ada multiplies 8-bit floats by mma.sync as they are; Hopper
// and the chips after it, up to sm_120, convert them first: shorter k-tiles, fewer conversions in
// flight. Gathered operands need more registers than the 128 accumulators of the largest tile
// leave. Where K is one short k-tile nothing is to be loaded ahead: tiles that D leaves from soon.
// clang-format off
constexpr std::array kWarpRows{
  //       operands      arch      access smem  N   reads   transfer             m    n    k bytes warps stages
  WarpRow{{Operands::f64, 80, 1000, 4,   130,   0,  false, {128, 128}}, {Transfer::cp_async,  128, 128, 128,    4, 2, 4}},
  WarpRow{{Operands::f64, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128,  64, 128,    4, 2, 4}},
  WarpRow{{Operands::fp8, 90,  120, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128,  64,    2, 4, 6}},
  WarpRow{{Operands::fp8, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128, 128,    2, 4, 4}},
  WarpRow{{Operands::any, 80, 1000, 1,     0,   0,  false, {256, 256}, 64}, {Transfer::registers, 128, 128, 64, 2, 4, 2}},
  WarpRow{{Operands::any, 80, 1000, 1,     0,   0,  false, {}, 64}, {Transfer::registers,  64,  64,  64,    2, 4, 2}},
  WarpRow{{Operands::any, 80, 1000, 4,   200, 129,  true},  {Transfer::cp_async,  128, 256, 128,    2, 4, 4}},
  WarpRow{{Operands::any, 80, 1000, 4,     0,   0,  false}, {Transfer::cp_async,  128, 128, 128,    2, 4, 4}},
  WarpRow{{Operands::f64,  0, 1000, 1,     0,   0,  false}, {Transfer::registers, 128,  64, 128,    4, 2, 4}},
  WarpRow{{Operands::any,  0, 1000, 1,     0,   0,  false}, {Transfer::registers, 128, 128,  64,    2, 4, 2}},
};
constexpr std::array kThreadRows{
  //         operands                        extent vector repeats k
  ThreadRow{{.operands = Operands::f64}, {    64,    2,     2,      8}},
  ThreadRow{{.operands = Operands::any}, {   128,    4,     2,      8}},
};

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

bool are(Operands operands, const KernelProblem& problem) {
  switch (operands) {
    case Operands::f64:
      return problem.accumulate == DType::f64;
    case Operands::fp8:
      return is_small_float(problem.a.type);
    case Operands::any:
      break;
  }
  return true;
}

bool is_read_whole(const KernelMatrix& matrix) {
  return matrix.major == Major::k || width_bits(matrix.type) == 16;
}

bool suits(const Needs& needs, const KernelProblem& problem, const DeviceInfo& device) {
  const int arch = device.arch.number;
  return are(needs.operands, problem) && arch >= needs.arch && arch < needs.next_arch &&
         std::min(problem.a.access_bytes, problem.b.access_bytes) >= needs.access_bytes &&
         device.smem_bytes_per_block >= needs.smem_kib * 1024 &&
         (!problem.n.baked || problem.n.value >= needs.n) &&
         (!needs.whole_reads || (is_read_whole(problem.a) && is_read_whole(problem.b))) &&
         (needs.fills.m == 0 || tiles_of(needs.fills, problem.m.value, problem.n.value,
                                         problem.batch.value) >= device.sm_count) &&
         (needs.k_bytes == 0 ||
          (problem.k.baked && problem.k.value * width_bytes(problem.a.type) <= needs.k_bytes));
}

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

/// The widest instruction of which whole ones make the tile.
int instruction_n(const GroupTile& row, const Config& config) {
  constexpr int kWidest = 256, kUnit = 8;
  const int n = (config.tile ? config.tile->n : row.n) / row.atoms_n;
  for (int parts = 1; parts <= n / kUnit; ++parts)
    if (n % parts == 0 && n / parts <= kWidest) return n / parts;
  return kUnit;
}

/// What the row's instruction multiplies, and how it finds that in shared memory.
MmaTypes types_for(const GroupRow& row, const KernelProblem& given, const Config& config) {
  const KernelProblem problem = row.tile.swapped ? transposed(given) : given;
  MmaTypes types{problem.a.type, problem.b.type, problem.accumulate};
  if (row.form != MmaForm::wgmma_ss) return types;
  types.n = instruction_n(row.tile, config);
  types.a_major = problem.a.major;
  types.b_major = problem.b.major;
  return types;
}

template <class Rows>
void add_group_rows(std::vector<Candidate>& list, const Rows& rows, const KernelProblem& problem,
                    const DeviceInfo& device, const Config& config, const Catalogue& catalogue) {
  for (const GroupRow& row : rows) {
    if (!suits(row.needs, problem, device)) continue;
    if (config.mma_atom) {
      MmaAtom atom = catalogue.mma(*config.mma_atom);
      if (atom.form == row.form) list.push_back({std::move(atom), row.tile});
    } else {
      for (MmaAtom& atom : catalogue.mmas(row.form, device.arch, types_for(row, problem, config)))
        list.push_back({std::move(atom), row.tile});
    }
  }
}

/// Groups of consumers that share the rows of the caller's tile. A team is one group where its
/// registers hold the accumulators.
int groups_for(const TileShape& tile, int teams) {
  constexpr Index kMostAlone = 128 * 200;  // accumulators of a group in turns
  if (tile.m == 64 || (teams > 1 && Index{tile.m} * tile.n <= kMostAlone)) return 1;
  return tile.m % 192 == 0 ? 3 : 2;
}

/// The best tiles for the problem, where they are ranked; or the caller's, whose groups are one row
/// of instructions each.
std::vector<GroupRow> wgmma_rows(const KernelProblem& problem, const DeviceInfo& device,
                                 const Config& config) {
  constexpr size_t kRanked = 10;
  if (!is_ranked(config)) {
    GroupRow row = kWgmmaRow;
    if (config.tile) row.tile.atoms_m = groups_for(*config.tile, config.teams.value_or(1));
    row.tile.swapped = config.swapped.value_or(false);
    return {row};
  }
  std::vector<GroupRow> rows;
  for (const RankedTile& ranked : ranked_tiles(problem, device, kRanked, config))
    rows.push_back({MmaForm::wgmma_ss, kWgmmaNeeds, ranked.tile});
  return rows;
}

/// Straight kernels suit warps' instructions, and what the caller leaves open.
bool is_open_to_straight(const Config& config) {
  return is_ranked(config) && !config.main_loop && !config.stages && !config.pad &&
         !config.transpose && !config.raster_group;
}

/// Where they are asked for, of every atom; else of the first, where they are faster than all
/// others.
std::vector<Candidate> straight_rows(const KernelProblem& problem, const DeviceInfo& device,
                                     const Config& config, const std::vector<MmaAtom>& atoms,
                                     const Catalogue& catalogue) {
  constexpr size_t kRanked = 2;
  const bool is_wish = config.main_loop == MainLoop::straight;
  std::vector<Candidate> rows;
  if (!is_wish && !is_open_to_straight(config)) return rows;
  for (const MmaAtom& atom : atoms) {
    if (is_wgmma(atom.form) || (!is_wish && atom.form == MmaForm::fma)) continue;
    if (!is_wish && !may_be_straight(problem)) continue;
    for (const StraightTile& tile : ranked_straight_tiles(atom, problem, device, kRanked))
      rows.push_back({atom, tile});
    if (!is_wish) break;
  }
  if (rows.empty() && !may_be_dot_products(problem, config)) return rows;
  const bool has_wgmma =
      !catalogue.mmas(MmaForm::wgmma_ss, device.arch, types_for(kWgmmaRow, problem, config))
           .empty();
  const Others others = has_wgmma ? Others::specialised : Others::staged;
  if (!is_wish && !rows.empty() &&
      !is_faster_straight(rows[0].atom, std::get<StraightTile>(rows[0].tile), problem, device,
                          config, others))
    rows.clear();
  return with_dot_products(std::move(rows), atoms, problem, device, config, others);
}

MainLoop main_loop_of(const Candidate& candidate) {
  if (std::holds_alternative<StraightTile>(candidate.tile) ||
      std::holds_alternative<DotTile>(candidate.tile))
    return MainLoop::straight;
  if (std::holds_alternative<GroupTile>(candidate.tile)) return MainLoop::warp_specialised;
  const auto* warps = std::get_if<WarpTile>(&candidate.tile);
  return warps != nullptr && warps->transfer == Transfer::cp_async ? MainLoop::multistage
                                                                   : MainLoop::register_staged;
}

[[noreturn]] void refuse_main_loop(const Config& config, const std::vector<Candidate>& list) {
  Config nearest;
  nearest.main_loop = main_loop_of(list.front());
  const auto word = [](const Config& chosen) { return to_string(chosen).substr(10); };
  Config asked;
  asked.main_loop = config.main_loop;
  throw Exception(
      {.code = ErrorCode::illegal_config,
       .operand = "main_loop",
       .value = word(asked),
       .violated_rules = {"the chip must have an instruction and a way to load for that "
                          "main loop, these types and rows"},
       .nearest_legal = word(nearest)});
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

/// What only a producer and consumers have: the choice, and what every kernel has instead.
struct RoleWish {
  std::string_view choice, instead;
};
RoleWish wish_for_roles(const Config& config) {
  if (config.cluster && *config.cluster != ClusterShape{}) return {"cluster", "1x1"};
  if (config.blocks && *config.blocks != 0) return {"blocks", "0"};
  if (config.teams && *config.teams != 1) return {"teams", "1"};
  if (config.slices && *config.slices != 1) return {"slices", "1"};
  if (config.meeting.value_or(Meeting::last_adds) != Meeting::last_adds)
    return {"meeting", "last_adds"};
  if (config.swapped.value_or(false)) return {"swapped", "off"};
  if (config.first_stages && *config.first_stages != FirstStages::after_barrier)
    return {"first_stages", "after_barrier"};
  if (config.read_once.value_or(ReadOnce::none) != ReadOnce::none) return {"read_once", "none"};
  if (config.promote.value_or(0) != 0) return {"promote", "0"};
  if (config.release && *config.release != Release::never) return {"release", "never"};
  return {};
}

/// The value of a choice as the caller's config writes it.
std::string value_of(const Config& config, std::string_view choice) {
  const std::string text = " " + to_string(config) + " ";
  const size_t start = text.find(base::format(" {}=", choice)) + choice.size() + 2;
  return text.substr(start, text.find(' ', start) - start);
}

/// The candidates that can do what the caller wishes of main loop, clusters, grid and launch.
std::vector<Candidate> with_wishes(std::vector<Candidate> list, const Config& config) {
  const RoleWish wish = wish_for_roles(config);
  if (!config.main_loop && wish.choice.empty()) return list;
  const MainLoop main_loop = config.main_loop.value_or(MainLoop::warp_specialised);
  const bool releases = main_loop == MainLoop::straight && wish.choice == "release";
  std::vector<Candidate> wished;
  for (const Candidate& candidate : list)
    if (main_loop_of(candidate) == main_loop) wished.push_back(candidate);
  if (wished.empty() && config.main_loop) refuse_main_loop(config, list);
  if (wished.empty() ||
      (!wish.choice.empty() && main_loop != MainLoop::warp_specialised && !releases))
    throw Exception({.code = ErrorCode::illegal_config,
                     .operand = std::string(wish.choice),
                     .value = value_of(config, wish.choice),
                     .violated_rules = {base::format(
                         "{} needs a warp-specialised main loop: an instruction that the chip has "
                         "for it, and rows of A and B that begin at multiples of 16 bytes",
                         wish.choice)},
                     .nearest_legal = std::string(wish.instead)});
  return wished;
}

}  // namespace

bool needs_groups(const Config& config, const Catalogue& catalogue) {
  if (config.main_loop) return *config.main_loop == MainLoop::warp_specialised;
  if (config.mma_atom) return is_wgmma(catalogue.mma(*config.mma_atom).form);
  return !wish_for_roles(config).choice.empty();
}

bool is_ranked_but_for_atom(const Config& config) {
  return !config.tile && !config.atom_layout && !config.permutation && !config.smem_a &&
         !config.smem_b;
}
bool is_ranked(const Config& config) { return !config.mma_atom && is_ranked_but_for_atom(config); }

std::vector<Candidate> candidates_for(const GroupTile& tile, const KernelProblem& problem,
                                      const DeviceInfo& device, const Config& config,
                                      const Catalogue& catalogue) {
  std::vector<Candidate> list;
  const GroupRow row{MmaForm::wgmma_ss, kWgmmaNeeds, tile};
  add_group_rows(list, std::span(&row, 1), problem, device, config, catalogue);
  return list;
}

bool prefers_straight(const KernelProblem& problem, const DeviceInfo& device, const Config& config,
                      const Catalogue& catalogue) {
  const std::vector<MmaAtom> list = atoms(problem, device, config, catalogue);
  return !straight_rows(problem, device, config, list, catalogue).empty();
}

std::vector<Candidate> candidates(const KernelProblem& problem, const DeviceInfo& device,
                                  const Config& config, const Catalogue& catalogue) {
  std::vector<Candidate> list;
  if (suits(kWgmmaNeeds, problem, device))
    add_group_rows(list, wgmma_rows(problem, device, config), problem, device, config, catalogue);
  if (config.main_loop) add_group_rows(list, kWishedGroupRows, problem, device, config, catalogue);
  const std::vector<MmaAtom> multiplying = atoms(problem, device, config, catalogue);
  for (const MmaAtom& atom : multiplying)
    if (atom.form == MmaForm::fma) {
      if (is_ranked(config) || config.main_loop == MainLoop::warp_specialised)
        if (const auto tile = thread_groups(problem, device, config)) list.push_back({atom, *tile});
      add_rows(list, kThreadRows, atom, problem, device);
    } else if (!is_wgmma(atom.form))
      add_rows(list, kWarpRows, atom, problem, device);
  const std::vector<Candidate> straight =
      straight_rows(problem, device, config, multiplying, catalogue);
  list.insert(list.begin(), straight.begin(), straight.end());
  if (list.empty()) refuse_atom(problem, device, config, catalogue);
  return with_wishes(std::move(list), config);
}

}  // namespace jute::plan

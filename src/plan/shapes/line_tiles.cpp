// Deals the lines of the large operand to lanes and its rows to warps.
#include "plan/shapes/line_tiles.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/values/line_chunks.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/grid_limits.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/residency.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/straight_form.hpp"
#include "plan/values/block_threads.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr Index kMostRowsOfLines = 32, kMostRowsOfThreads = 4;  // of the other operand
constexpr Index kLeastLines = 32, kLeastK = 32;

/// Registers: of a thread beside what it has asked for and its sums; of those of tensor cores the
/// part that is alive at once, addresses for each chunk's line of a matrix whose rows are not
/// known, and with how many the compiler makes do, without spills, where more blocks then find
/// room: of warps that take lines once, and more often.
/// bench/results/2026-11-27-few-rows-any-row.md.
constexpr double kOwnOfLines = 32, kOwnOfTensorCores = 45, kLineTileAlive = 0.93, kOfLine = 22,
                 kEnough = 0.89, kEnoughOfMore = 1.15;

}  // namespace

LineSides line_sides(const KernelProblem& problem) {
  // What has no row is planned as if it had one.
  const Index m = std::max<Index>(problem.m.value, 1), n = std::max<Index>(problem.n.value, 1);
  if (m <= n) return {Operand::b, problem.b, problem.a, n, m};
  return {Operand::a, problem.a, problem.b, m, n};
}
namespace {

/// Chunks that an atom's lanes have beside each other, and rows of the other operand that it takes.
int lanes_of_lines(const Tile& tile, const MmaAtom& atom) {
  return atom.form == MmaForm::fma ? tile.lanes_n : kGroupsOfLines;
}

int rows_of_atom(const Tile& tile, const MmaAtom& atom) {
  return tile.streamed == Operand::a ? atom.shape.n : atom.shape.m;
}

}  // namespace

LineLoads line_loads(const LineWork& work) {
  const double k = static_cast<double>(work.k) / (work.warps * kWarp);
  const double lanes = static_cast<double>(kWarp) / work.lanes_k;
  // Threads have all of a row; an instruction's lanes share its rows out.
  return {
      .chunks = k * work.lines / work.of_chunk,
      .ends = work.by_threads ? k * lanes * std::ceil(work.of_chunk / lanes) : k * work.of_chunk,
      .kept = k * work.rows * (work.by_threads ? lanes : 1)};
}

double line_sums(const LineWork& work) {
  const int shared = work.by_threads ? work.lanes_k : 1;
  return static_cast<double>(work.rows) * (work.lines + work.of_chunk) * shared / kWarp;
}

double line_registers(const LineWork& work) {
  const LineLoads loads = line_loads(work);
  const double asked = 4 * loads.chunks + loads.ends + loads.kept + line_sums(work);
  if (work.by_threads) return kOwnOfLines + asked;
  return kLineTileAlive * (kOwnOfTensorCores + asked) +
         (work.knows_ld ? 0 : kOfLine * loads.chunks / kRowsOfLineAtom);
}

Index line_smem(const LineWork& work) {
  return Index{work.warps} * work.rows * pitch_of_lines(work.lines, work.of_chunk) *
         width_bytes(DType::f32);
}

double line_blocks(const LineWork& work, const DeviceInfo& device) {
  const bool takes_once = work.lines == kGroupsOfLines * work.of_chunk;
  const double enough = work.by_threads ? 1 : takes_once ? kEnough : kEnoughOfMore;
  const double registers = line_registers(work) * enough;
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / line_smem(work));
  return std::clamp(fit, 1.0, blocks_of_sm(work.warps * kWarp, registers, device));
}

LineWork line_work(const Tile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const LineSides sides = line_sides(problem);
  const bool by_threads = atom.form == MmaForm::fma;
  const int lanes_k = kWarp / lanes_of_lines(tile, atom);
  return {.by_threads = by_threads,
          .warps = tile.groups_k,
          .lanes_k = lanes_k,
          .lines = lanes_of_lines(tile, atom) * elements_of_chunk(sides.lines.type) * tile.repeat_n,
          .rows = tile.repeat_m,
          .k = tile.groups_k * (by_threads ? lanes_k : atom.shape.k) * tile.k_steps,
          .of_chunk = elements_of_chunk(sides.lines.type),
          .width = width_bytes(sides.lines.type),
          .knows_ld = sides.lines.ld.baked,
          .is_kept_along_k = sides.kept.major == Major::k,
          .is_f32 = sides.lines.type == DType::f32,
          .streamed = sides.streamed};
}
namespace {

/// Do a block's threads, its sums and the grid find room?
bool has_room(const LineWork& work, const KernelProblem& problem, const DeviceInfo& device) {
  const LineSides sides = line_sides(problem);
  const int threads = work.warps * kWarp;
  const Index across = sides.streamed == Operand::b ? ceil_div(sides.line_count, work.lines)
                                                    : ceil_div(sides.row_count, work.rows);
  return threads <= limits(device.arch).threads_per_block &&
         line_registers(work) * threads <= device.registers_per_sm &&
         line_smem(work) <= device.smem_bytes_per_block && across <= kMostBlocksAcross;
}

}  // namespace

std::vector<Tile> line_tiles(const MmaAtom& atom, const KernelProblem& problem,
                             const DeviceInfo& device) {
  const LineSides sides = line_sides(problem);
  const bool by_threads = atom.form == MmaForm::fma;
  constexpr std::array kLanes{4, 8, 16, 32}, kSteps{1, 2, 4, 8};
  constexpr Index kMostAsked = 16;  // of the kept operand, by a thread
  const int of_chunk = elements_of_chunk(sides.lines.type);
  std::vector<Tile> tiles;
  for (const int lanes : kLanes)
    for (const int warps : {of_chunk, 2 * of_chunk, 4 * of_chunk})
      for (const int repeats : {1, 2})
        for (const int steps : kSteps) {
          Tile tile{.groups_k = warps,
                    .lanes_n = lanes,
                    .repeat_n = repeats,
                    .k_steps = steps,
                    .streamed = sides.streamed};
          tile.repeat_m = static_cast<int>(
              by_threads ? std::bit_ceil(static_cast<std::uint64_t>(sides.row_count))
                         : ceil_div(sides.row_count, Index{rows_of_atom(tile, atom)}) *
                               rows_of_atom(tile, atom));
          if (warps > 16) continue;
          if (by_threads ? repeats > 1 || steps == 1 || steps * tile.repeat_m > kMostAsked
                         : lanes != kGroupsOfLines || steps > 2)
            continue;
          const LineWork work = line_work(tile, atom, problem);
          const bool is_idle = tile.k_steps > 1 && work.k >= 2 * problem.k.value;
          if (is_idle || !has_room(work, problem, device)) continue;
          tiles.push_back(tile);
        }
  return tiles;
}

std::vector<const MmaAtom*> atoms_of_lines(const std::vector<MmaAtom>& atoms,
                                           const KernelProblem& problem) {
  std::vector<const MmaAtom*> list;
  const auto add = [&](MmaForm form) {
    if (const auto atom = std::ranges::find(atoms, form, &MmaAtom::form); atom != atoms.end())
      list.push_back(&*atom);
  };
  add(MmaForm::mma);
  if (!list.empty() && threads(*list[0]) != kWarp) list.clear();  // lanes of less lie otherwise
  if (line_sides(problem).row_count <= kMostRowsOfThreads) add(MmaForm::fma);
  return list;
}

bool may_be_lines(const KernelProblem& problem, const Config& config) {
  const auto is_gathered = [](const KernelOperand& output) {
    return output.is_bits || output.gather != EpilogueGather::elements;
  };
  const LineSides sides = line_sides(problem);
  return config.specialize != Specialize::generic && is_ranked_but_for_atom(config) &&
         sides.lines.major == Major::mn && sides.lines.access_bytes < kChunk &&
         width_bytes(sides.lines.type) >= 2 && sides.row_count <= kMostRowsOfLines &&
         sides.line_count >= kLeastLines && problem.k.value >= kLeastK &&
         problem.batch.value <= kMostBlocksAcross && problem.products.empty() &&
         problem.accumulate == DType::f32 && std::ranges::none_of(problem.outputs, is_gathered);
}

StraightForm line_form(const Tile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const bool is_b = tile.streamed == Operand::b, by_threads = atom.form == MmaForm::fma;
  const Layout one(1, 0);
  const int of_chunk = elements_of_chunk((is_b ? problem.b : problem.a).type);
  const int lanes = lanes_of_lines(tile, atom), warps = tile.groups_k;
  const Layout lines = by_threads ? Layout(lanes, 1) : one;
  // Warps first: rows that follow each other are theirs.
  const Layout along_k =
      by_threads ? coalesce(Layout(IntTuple{warps, kWarp / lanes}, IntTuple{kWarp, lanes}))
                 : Layout(warps, 1);
  const Tiler by_chunks(Layout(IntTuple{lanes, of_chunk}, IntTuple{of_chunk, 1}));
  const int k = atom.shape.k;
  const Tiler rows = by_threads ? Tiler::wildcard()
                                : Tiler(Layout(IntTuple{k, of_chunk, warps / of_chunk},
                                               IntTuple{of_chunk, 1, k * of_chunk}));
  const int rows_of = tile.repeat_m / (by_threads ? 1 : rows_of_atom(tile, atom));
  return {.atoms = is_b ? make_layout({one, lines, along_k}) : make_layout({lines, one, along_k}),
          .permutation = Tiler(std::vector<Tiler>{is_b ? Tiler::wildcard() : by_chunks,
                                                  is_b ? by_chunks : Tiler::wildcard(), rows}),
          .repeat_m = is_b ? rows_of : tile.repeat_n,
          .repeat_n = is_b ? tile.repeat_n : rows_of,
          .k_steps = tile.k_steps};
}

}  // namespace jute::plan

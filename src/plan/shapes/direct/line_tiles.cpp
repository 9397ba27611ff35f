// Deals the lines of the large operand to lanes and its rows to warps.
#include "plan/shapes/direct/line_tiles.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/values/line_chunks.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/grid_limits.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/shapes/direct/straight_form.hpp"
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
  // A problem without rows is planned as if it had one.
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

namespace {

/// Loads of a lane in a turn.
struct LineLoads {
  double chunks, ends, kept;
};

/// The part of a tile that lanes have, by what it is of the large operand and of the other.
struct LinesOfTile {
  int lines, rows, k, of_chunk, lanes_k, warps;
  bool by_threads;
};
LinesOfTile lines_of(const Tile& tile, MmaForm form, const LineSides& sides) {
  const bool is_a = sides.streamed == Operand::a, by_threads = form == MmaForm::fma;
  return {is_a ? tile.m : tile.n,
          is_a ? tile.n : tile.m,
          tile.k_bytes / width_bytes(sides.lines.type),
          elements_of_chunk(sides.lines.type),
          kWarp / (by_threads ? tile.lanes_n : kGroupsOfLines),
          tile.groups_k,
          by_threads};
}

LineLoads line_loads(const LinesOfTile& of) {
  const double k = static_cast<double>(of.k) / (of.warps * kWarp);
  const double lanes = static_cast<double>(kWarp) / of.lanes_k;
  // Threads have all of a row; an instruction's lanes share its rows out.
  return {.chunks = k * of.lines / of.of_chunk,
          .ends = of.by_threads ? k * lanes * std::ceil(of.of_chunk / lanes) : k * of.of_chunk,
          .kept = k * of.rows * (of.by_threads ? lanes : 1)};
}

/// Registers of a thread.
double line_registers(const LinesOfTile& of, const LineLoads& loads, bool knows_ld) {
  const int shared = of.by_threads ? of.lanes_k : 1;
  const double sums = static_cast<double>(of.rows) * (of.lines + of.of_chunk) * shared / kWarp;
  const double asked = 4 * loads.chunks + loads.ends + loads.kept + sums;
  if (of.by_threads) return kOwnOfLines + asked;
  return kLineTileAlive * (kOwnOfTensorCores + asked) +
         (knows_ld ? 0 : kOfLine * loads.chunks / kRowsOfLineAtom);
}

/// Bytes of shared memory where groups leave their sums.
Index line_smem(const LinesOfTile& of) {
  return Index{of.warps} * of.rows * pitch_of_lines(of.lines, of.of_chunk) *
         width_bytes(DType::f32);
}

/// Part of a thread's registers with which the compiler makes do.
double enough_of(const LinesOfTile& of) {
  const bool takes_once = of.lines == kGroupsOfLines * of.of_chunk;
  return of.by_threads ? 1 : takes_once ? kEnough : kEnoughOfMore;
}

}  // namespace

Tile covered_by_lines(Tile tile, const MmaAtom& atom, const KernelProblem& problem) {
  const LineSides sides = line_sides(problem);
  const bool by_threads = atom.form == MmaForm::fma, is_a = sides.streamed == Operand::a;
  const int lanes = lanes_of_lines(tile, atom);
  const int lines = lanes * elements_of_chunk(sides.lines.type) * tile.repeat_n;
  tile.m = is_a ? lines : tile.repeat_m;
  tile.n = is_a ? tile.repeat_m : lines;
  tile.k_bytes = tile.groups_k * (by_threads ? kWarp / lanes : atom.shape.k) * tile.k_steps *
                 width_bytes(sides.lines.type);
  return tile;
}

Block line_block(const Tile& tile, MmaForm form, const KernelProblem& problem) {
  // Instructions for an element, beside a multiply-add of a thread for each row: to make of it, and
  // of the other operand's, what is multiplied.
  constexpr int kMadeByThread = 2;
  const LineSides sides = line_sides(problem);
  const LinesOfTile of = lines_of(tile, form, sides);
  const LineLoads loads = line_loads(of);
  Block block = block_of_tile({tile.m, tile.n, of.k}, problem);
  block.a_begins = block.b_begins = kLine;
  block.streams = 1;
  block.warps = of.warps;
  block.threads = of.warps * kWarp;
  block.registers = line_registers(of, loads, sides.lines.ld.baked) * enough_of(of);
  block.smem_bytes = static_cast<double>(line_smem(of));
  block.products = 1.0 * of.lines * of.k * (of.rows + (of.by_threads ? kMadeByThread : 0));
  // Ends of lines and the other operand come element by element.
  block.smem_read = block.warps * (loads.chunks + (loads.ends + loads.kept) / 2) * kWarp * kChunk;
  block.copies = block.begins_with = block.warps * (loads.chunks + loads.ends + loads.kept);
  block.parts = of.warps;
  return block;
}

namespace {

/// Do a block's threads, its sums and the grid find room?
bool has_room(const Tile& tile, const MmaAtom& atom, const KernelProblem& problem,
              const DeviceInfo& device) {
  const LineSides sides = line_sides(problem);
  const LinesOfTile of = lines_of(tile, atom.form, sides);
  const int threads = of.warps * kWarp;
  const Index across = sides.streamed == Operand::b ? ceil_div(sides.line_count, of.lines)
                                                    : ceil_div(sides.row_count, of.rows);
  return threads <= limits(device.arch).threads_per_block &&
         line_registers(of, line_loads(of), sides.lines.ld.baked) * threads <=
             device.registers_per_sm &&
         line_smem(of) <= device.smem_bytes_per_block && across <= kMostBlocksAcross;
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
          const Tile covered = covered_by_lines(tile, atom, problem);
          const int k = covered.k_bytes / width_bytes(sides.lines.type);
          const bool is_idle = tile.k_steps > 1 && k >= 2 * problem.k.value;
          if (is_idle || !has_room(covered, atom, problem, device)) continue;
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

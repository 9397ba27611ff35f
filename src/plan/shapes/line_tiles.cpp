// Deals the lines of the large operand to lanes and its rows to warps, and says what that takes.
#include "plan/shapes/line_tiles.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/operand/line_ends.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/choose/fastest.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/run/parameters.hpp"

namespace jute::plan {
namespace {

constexpr Index kMostRowsOfLines = 32, kMostRowsOfThreads = 4;  // of the other operand
constexpr Index kLeastLines = 32, kLeastK = 32;
constexpr int kGroupsOfLines = 8;  // of an instruction of tensor cores: lanes with other lines
constexpr int kRowsOfAtom = 4;     // of one lane, along K

/// What kernels take, in clocks of an H200: from one to the next; until a block's first loads have
/// come, and from its last to D.
struct LineConstants {
  double launch, block;
  double turn, turn_load;               ///< of a chain of loads; for each of a lane
  double turn_kept, turn_kept_apart;    ///< for each of the kept operand, along K, or of rows apart
  double chunk, end, kept, kept_apart;  ///< of an SM: a warp's load
  double instruction;                   ///< of an SM, of a warp
  double memory;                        ///< bytes that memory gives in a clock
  double overlap;                       ///< what is less hides in what is more, but for some of it
  double of_block, of_sum;              ///< of an SM: a block; a sum of a thread that meets others
};
// Fitted to 1000 times of 150 problems, within 8 to 13 %:
// bench/results/2026-11-27-one-to-four-rows.md.
constexpr LineConstants kOfTensorCores{1400, 1900, 474,   62,   15,   9.9, 11.9, 0,
                                       1.95, 1.35, 0.027, 2700, 1.72, 0,   112};
constexpr LineConstants kOfTensorCores32{2260, 784, 858,   23.5, 0,    0, 0,   0,
                                         0,    0,   0.694, 2500, 1.75, 0, 54.6};
constexpr LineConstants kOf16Bits{1400, 1330,  857,  11.7, 49.7, 30.8, 0,  0.989,
                                  1.16, 0.994, 0.29, 2070, 2.36, 797,  106};
constexpr LineConstants kOf32Bits{1400,  1260, 1060,  68.7, 1.36, 5.55, 1.47, 1.79,
                                  0.155, 0,    0.235, 2440, 1.6,  0,    179};
/// What the model of other kernels counts beside clocks of a launch, and clocks for one of its own,
/// where the chip has tensor cores for the types; that of f32 counts as they pass.
constexpr double kOthersAhead = 3500, kOthersSlow = 1.15, kOthersSlow32 = 1.25;

/// Of an instruction's rows; what more of them take, of the clocks of a turn.
constexpr int kRowsOfOne = 16;
constexpr double kMoreRows = 1.15;

/// Registers: of a thread beside what it has asked for and its sums; of those of tensor cores the
/// part that is alive at once, addresses for each chunk's line of a matrix whose rows are not
/// known, and with how many the compiler makes do, without spills, where more blocks then find
/// room: of warps that take lines once, and more often.
constexpr double kOwnOfLines = 32, kOwnOfTensorCores = 45, kLineTileAlive = 0.93, kOfLine = 22,
                 kEnough = 0.89, kEnoughOfMore = 1.15;

/// What decides how long a kernel takes.
struct LineShape {
  bool by_threads;
  int warps, lanes_k;  ///< that share out K: groups, and lanes of one
  int lines, rows, k;  ///< of the tile
  int of_chunk, width;
  bool knows_ld, is_kept_along_k, is_f32;
};

/// Of a lane in a turn.
struct LineLoads {
  double chunks, ends, kept;
};
LineLoads line_loads(const LineShape& shape) {
  const double k = static_cast<double>(shape.k) / (shape.warps * kWarp);
  const double lanes = static_cast<double>(kWarp) / shape.lanes_k;
  // Threads have all of a row; an instruction's lanes share its rows out.
  return {
      .chunks = k * shape.lines / shape.of_chunk,
      .ends = shape.by_threads ? k * lanes * std::ceil(shape.of_chunk / lanes) : k * shape.of_chunk,
      .kept = k * shape.rows * (shape.by_threads ? lanes : 1)};
}

double line_sums(const LineShape& shape) {
  const int shared = shape.by_threads ? shape.lanes_k : 1;
  return static_cast<double>(shape.rows) * (shape.lines + shape.of_chunk) * shared / kWarp;
}

double line_registers(const LineShape& shape) {
  const LineLoads loads = line_loads(shape);
  const double asked = 4 * loads.chunks + loads.ends + loads.kept + line_sums(shape);
  if (shape.by_threads) return kOwnOfLines + asked;
  return kLineTileAlive * (kOwnOfTensorCores + asked) +
         (shape.knows_ld ? 0 : kOfLine * loads.chunks / kRowsOfAtom);
}

/// Bytes of shared memory where groups leave their sums.
Index line_smem(const LineShape& shape) {
  return Index{shape.warps} * shape.rows * pitch_of_lines(shape.lines, shape.of_chunk) *
         width_bytes(DType::f32);
}

/// Blocks that an SM has room for.
double line_blocks(const LineShape& shape, const DeviceInfo& device) {
  const bool takes_once = shape.lines == kGroupsOfLines * shape.of_chunk;
  const double enough = shape.by_threads ? 1 : takes_once ? kEnough : kEnoughOfMore;
  const double registers = line_registers(shape) * enough;
  const auto fit = static_cast<double>(device.smem_bytes_per_sm / line_smem(shape));
  return std::clamp(fit, 1.0, blocks_of_sm(shape.warps * kWarp, registers, device));
}

/// Of a warp in a turn.
double line_instructions(const LineShape& shape) {
  const LineLoads loads = line_loads(shape);
  if (shape.by_threads)
    return loads.chunks * (4 + shape.of_chunk * (1 + shape.rows)) + loads.ends * (3 + shape.rows) +
           loads.kept * 3;
  return loads.chunks * (12 + shape.rows / 8.0) + loads.ends * 4 + loads.kept * 3;
}

/// On the scale of the model of kernels beside which it stands.
Prediction as_others_say(Prediction of, double slow) {
  of.launch += kOthersAhead;
  of.clocks += kOthersAhead;
  for (double* clocks : {&of.launch, &of.start, &of.products, &of.feed, &of.k_block, &of.work,
                         &of.memory, &of.least, &of.meet, &of.clocks})
    *clocks /= slow;
  return of;
}

Prediction predicted_lines(const LineShape& shape, Index lines, Index rows, Index k, Index batch,
                           const DeviceInfo& device) {
  const bool is_wide = shape.width == width_bytes(DType::f32);
  const LineConstants& of = shape.by_threads ? (is_wide ? kOf32Bits : kOf16Bits)
                                             : (is_wide ? kOfTensorCores32 : kOfTensorCores);
  const auto tiles_along = [](Index extent, int tile) {
    return static_cast<double>(ceil_div(std::max<Index>(extent, 1), Index{tile}));
  };
  const double row_tiles = tiles_along(rows, shape.rows), batches = static_cast<double>(batch);
  const double blocks = tiles_along(lines, shape.lines) * row_tiles * batches;
  const double sms = std::max(device.sm_count, 1), of_sm = std::ceil(blocks / sms);
  const LineLoads loads = line_loads(shape);
  const bool is_apart = !shape.is_kept_along_k && rows > 1;
  const double rows_there = static_cast<double>(std::min<Index>(rows, shape.rows));
  const double slowness = !shape.by_threads && shape.rows > kRowsOfOne ? kMoreRows : 1;
  Prediction result;
  result.launch = of.launch;
  result.start = of.block;
  result.waves = std::ceil(blocks / (sms * line_blocks(shape, device)));
  result.k_blocks = tiles_along(k, shape.k);
  result.products = slowness * of_sm * shape.warps *
                    (loads.chunks * of.chunk + loads.ends * shape.lanes_k * of.end +
                     loads.kept * (is_apart ? of.kept_apart : of.kept) +
                     line_instructions(shape) * of.instruction) /
                    result.waves;
  result.feed = slowness * (of.turn + of.turn_load * (loads.chunks + loads.ends) +
                            loads.kept * (is_apart ? of.turn_kept_apart : of.turn_kept));
  result.k_block = std::max(result.products, result.feed);
  const double turns = result.waves * (of.block + result.k_blocks * result.feed);
  result.meet = of_sm * (of.of_block + of.of_sum * rows_there * shape.lines / kWarp);
  const double issued = result.waves * result.k_blocks * result.products + result.meet;
  result.memory = static_cast<double>(lines) * static_cast<double>(k) * shape.width * batches *
                  row_tiles / of.memory;
  result.work = std::max(turns, issued);
  const double all = together(turns, issued, result.memory, of.overlap);
  result.least = all - std::max(result.work, result.memory);
  result.clocks = result.launch + all;
  return shape.is_f32 ? result : as_others_say(result, is_wide ? kOthersSlow32 : kOthersSlow);
}

/// The operands by what they are here.
struct LineSides {
  Operand streamed;
  const KernelMatrix &lines, &kept;
  Index line_count, row_count;
};
LineSides line_sides(const KernelProblem& problem) {
  // What has no row is planned as if it had one.
  const Index m = std::max<Index>(problem.m.value, 1), n = std::max<Index>(problem.n.value, 1);
  if (m <= n) return {Operand::b, problem.b, problem.a, n, m};
  return {Operand::a, problem.a, problem.b, m, n};
}

/// Chunks that an atom's lanes have beside each other, and rows of the other operand that it takes.
int lanes_of_lines(const LineTile& tile, const MmaAtom& atom) {
  return atom.form == MmaForm::fma ? tile.lanes : kGroupsOfLines;
}
int rows_of_atom(const LineTile& tile, const MmaAtom& atom) {
  return tile.streamed == Operand::a ? atom.shape.n : atom.shape.m;
}

LineShape line_shape(const LineTile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const LineSides sides = line_sides(problem);
  const bool by_threads = atom.form == MmaForm::fma;
  const int lanes_k = kWarp / lanes_of_lines(tile, atom);
  return {.by_threads = by_threads,
          .warps = tile.warps_k,
          .lanes_k = lanes_k,
          .lines = lanes_of_lines(tile, atom) * elements_of_chunk(sides.lines.type) * tile.repeats,
          .rows = tile.rows,
          .k = tile.warps_k * (by_threads ? lanes_k : atom.shape.k) * tile.k_steps,
          .of_chunk = elements_of_chunk(sides.lines.type),
          .width = width_bytes(sides.lines.type),
          .knows_ld = sides.lines.ld.baked,
          .is_kept_along_k = sides.kept.major == Major::k,
          .is_f32 = sides.lines.type == DType::f32};
}

/// Do a block's threads, its sums and the grid find room?
bool has_room(const LineShape& shape, const KernelProblem& problem, const DeviceInfo& device) {
  const LineSides sides = line_sides(problem);
  const int threads = shape.warps * kWarp;
  const Index across = sides.streamed == Operand::b ? ceil_div(sides.line_count, shape.lines)
                                                    : ceil_div(sides.row_count, shape.rows);
  return threads <= limits(device.arch).threads_per_block &&
         line_registers(shape) * threads <= device.registers_per_sm &&
         line_smem(shape) <= device.smem_bytes_per_block && across <= kMostBlocksAcross;
}

/// Every sensible size for the atom.
std::vector<LineTile> line_tiles_for(const MmaAtom& atom, const KernelProblem& problem) {
  const LineSides sides = line_sides(problem);
  const bool by_threads = atom.form == MmaForm::fma;
  constexpr std::array kLanes{4, 8, 16, 32}, kSteps{1, 2, 4, 8};
  constexpr Index kMostAsked = 16;  // of the kept operand, by a thread
  const int of_chunk = elements_of_chunk(sides.lines.type);
  std::vector<LineTile> tiles;
  for (const int lanes : kLanes)
    for (const int warps : {of_chunk, 2 * of_chunk, 4 * of_chunk})
      for (const int repeats : {1, 2})
        for (const int steps : kSteps) {
          LineTile tile{.streamed = sides.streamed,
                        .lanes = lanes,
                        .warps_k = warps,
                        .repeats = repeats,
                        .k_steps = steps};
          tile.rows = static_cast<int>(
              by_threads ? std::bit_ceil(static_cast<std::uint64_t>(sides.row_count))
                         : ceil_div(sides.row_count, Index{rows_of_atom(tile, atom)}) *
                               rows_of_atom(tile, atom));
          if (warps > 16) continue;
          if (by_threads ? repeats > 1 || steps == 1 || steps * tile.rows > kMostAsked
                         : lanes != kGroupsOfLines || steps > 2)
            continue;
          tiles.push_back(tile);
        }
  return tiles;
}

/// Tensor cores where the chip has them for the types, and multiply-adds of the very few rows.
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

}  // namespace

bool may_be_lines(const KernelProblem& problem, const Config& config) {
  const auto is_gathered = [](const KernelOperand& output) {
    return output.is_bits || output.gather != EpilogueGather::elements;
  };
  const LineSides sides = line_sides(problem);
  return config.specialize != Specialize::shared && is_ranked_but_for_atom(config) &&
         sides.lines.major == Major::mn && sides.lines.access_bytes < kChunk &&
         width_bytes(sides.lines.type) >= 2 && sides.row_count <= kMostRowsOfLines &&
         sides.line_count >= kLeastLines && problem.k.value >= kLeastK &&
         problem.batch.value <= kMostBlocksAcross && problem.products.empty() &&
         problem.accumulate == DType::f32 && std::ranges::none_of(problem.outputs, is_gathered);
}

std::vector<RankedLines> ranked_line_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                           const std::vector<MmaAtom>& atoms, size_t most) {
  const LineSides sides = line_sides(problem);
  std::vector<RankedLines> list;
  for (const MmaAtom* atom : atoms_of_lines(atoms, problem))
    for (const LineTile& tile : line_tiles_for(*atom, problem)) {
      const LineShape shape = line_shape(tile, *atom, problem);
      const bool is_idle = tile.k_steps > 1 && shape.k >= 2 * problem.k.value;
      if (is_idle || !has_room(shape, problem, device)) continue;
      list.push_back({predicted_lines(shape, sides.line_count, sides.row_count, problem.k.value,
                                      problem.batch.value, device)
                          .clocks,
                      *atom, tile});
    }
  keep_first_of_fastest(list, most);
  return list;
}

StraightForm form_of(const LineTile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const bool is_b = tile.streamed == Operand::b, by_threads = atom.form == MmaForm::fma;
  const Layout one(1, 0);
  const int of_chunk = elements_of_chunk((is_b ? problem.b : problem.a).type);
  const int lanes = lanes_of_lines(tile, atom), warps = tile.warps_k;
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
  const int rows_of = tile.rows / (by_threads ? 1 : rows_of_atom(tile, atom));
  return {.atoms = is_b ? make_layout({one, lines, along_k}) : make_layout({lines, one, along_k}),
          .permutation = Tiler(std::vector<Tiler>{is_b ? Tiler::wildcard() : by_chunks,
                                                  is_b ? by_chunks : Tiler::wildcard(), rows}),
          .repeat_m = is_b ? rows_of : tile.repeats,
          .repeat_n = is_b ? tile.repeats : rows_of,
          .k_steps = tile.k_steps};
}

namespace {
/// Of a step whose `operand` is read in lines.
LineShape line_shape(const GemmStep& step, Operand operand) {
  const bool is_a = operand == Operand::a;
  const OperandPlan &lines = is_a ? step.a : step.b, &kept = is_a ? step.b : step.a;
  const bool by_threads = step.mma.atom().form == MmaForm::fma;
  const int groups = groups_of_k(step);
  return {.by_threads = by_threads,
          .warps = groups,
          .lanes_k = by_threads ? parts_of_k(step) / groups : kWarp / kGroupsOfLines,
          .lines = is_a ? step.tile.m : step.tile.n,
          .rows = is_a ? step.tile.n : step.tile.m,
          .k = step.tile.k,
          .of_chunk = lines.vector_elems,
          .width = width_bytes(lines.type),
          .knows_ld = lines.ld.baked,
          .is_kept_along_k = kept.major == Major::k,
          .is_f32 = lines.type == DType::f32};
}
}  // namespace

int blocks_of_lines(const GemmStep& step, const DeviceInfo& device) {
  const std::optional<Operand> operand = operand_of_line_ends(step);
  if (!operand) return 1;
  // Registers that no further block takes let a thread ask for more at once.
  const double blocks = tiles_of(step.tile, step.m.value, step.n.value, step.batch.value);
  const double of_sm = std::max(std::ceil(blocks / std::max(device.sm_count, 1)), 1.0);
  return static_cast<int>(std::min(line_blocks(line_shape(step, *operand), device), of_sm));
}

std::optional<Prediction> line_prediction(const GemmStep& step, const DeviceInfo& device) {
  const std::optional<Operand> operand = operand_of_line_ends(step);
  if (!operand) return std::nullopt;
  const bool is_a = *operand == Operand::a;
  return predicted_lines(line_shape(step, *operand), is_a ? step.m.value : step.n.value,
                         is_a ? step.n.value : step.m.value, step.k.value, step.batch.value,
                         device);
}

}  // namespace jute::plan

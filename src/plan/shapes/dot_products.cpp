// Deals the large operand's rows to lanes, and says what reading them takes.
#include "plan/shapes/dot_products.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/overlap.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/derive/operand/fragment_loads.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/shared_tiles.hpp"

namespace jute::plan {
namespace {

constexpr Index kDotMostRows = 4;  // of the other operand
constexpr int kBlockWarps = 8;     // of rows along K
constexpr int kHeldWords = 32;     // registers of a lane for what it has asked for
constexpr int kOtherWords = 96;    // with those of the other operand

// Clocks, on the scale of the other kernels' model, and of an H200: from one kernel to the next,
// until the first chunks have come, later where rows have elements beside those; a turn, of chunks
// that are asked for and come, and for each load of a lane.
constexpr double kDotLaunch = 1590, kDotStart = 2290, kEnds = 645, kDotTurn = 650,
                 kDotTurnOfLoad = 12.5;
// Of f32, timed apart, the first chunks of which were there sooner; turns of single elements take
// so many times as long.
constexpr double kLaunchOfF32 = 380, kSinglesOfF32 = 1.5;
constexpr double kDotMemory = 3600;  // bytes that memory gives in a clock
// Of work, turns and memory what is less hides in what is more, but for some of it.
constexpr double kOverlap = 1.57;
constexpr double kDotBlock = 21;  // of a block, of those of an SM
// Instructions of a warp: to ask for a chunk in each lane, or for a single element; to cut a chunk
// out of two; for an element of a chunk, beside one for each row. An SM starts so many in a clock,
// and gives a warp the chunks that it asks for, or twice as many single elements, in so many.
constexpr double kAsk = 4.6, kAskSingle = 5.7, kCut = 4.9, kElement = 2.75, kIssued = 3,
                 kAccess = 4.5;
// Until lanes have added their sums, two by two, each of them.
constexpr double kShuffle = 351, kShuffled = 2.7;
constexpr int kOwnWords = 20;      // registers of a thread beside operands and sums
constexpr Index kMostSingle = 48;  // elements that a lane may ask for one by one

/// The two operands by what they are here.
struct Sides {
  const KernelMatrix &streamed, &kept;
  Index lines, rows;  ///< the extents of D along them
};
Sides sides_of(const KernelProblem& problem, Operand streamed) {
  if (streamed == Operand::b) return {problem.b, problem.a, problem.n.value, problem.m.value};
  return {problem.a, problem.b, problem.m.value, problem.n.value};
}
Operand streamed_of(const KernelProblem& problem) {
  return problem.m.value > problem.n.value ? Operand::a : Operand::b;
}
bool is_shifted(const KernelMatrix& matrix) { return matrix.access_bytes < kChunk; }

/// Of a lane in a turn, for one operand.
struct Loads {
  Index count = 0;
  bool are_single = false;  ///< elements, not chunks
  bool are_cut = false;     ///< out of two chunks each
};

/// What decides how long a kernel takes.
struct DotShape {
  int threads, lanes_k;
  int rows, lines;  ///< of D in a block
  Index k;          ///< of a turn
  Loads streamed, kept;
  Index elements;  ///< of a lane in a turn, of what is streamed
  Index sums;      ///< of a lane
  Index held;      ///< registers of a lane for both operands
  bool has_ends;   ///< are there elements that no whole chunk holds?
};

int lines_of_lane(const DotTile& tile, const Sides& sides) {
  return sides.streamed.major == Major::k ? tile.repeats : elements_of_chunk(sides.streamed.type);
}
int k_of_lane(const DotTile& tile, const Sides& sides) {
  return tile.chunks *
         (sides.streamed.major == Major::k ? elements_of_chunk(sides.streamed.type) : 1);
}

Loads dot_loads(Index elements, int together, int of_chunk, bool is_cut) {
  return {.count = elements / std::max(together, 1),
          .are_single = together < of_chunk,
          .are_cut = is_cut};
}
Index words_in(Index elements, DType type) { return (elements * width_bytes(type) + 3) / 4; }

/// Do all rows of which a lane has parts begin as far behind a chunk, so that whole ones are
/// loaded?
bool loads_whole_chunks(const DotTile& tile, const Sides& sides) {
  const Extent& ld = sides.streamed.ld;
  const Index apart = Index{tile.warps_lines} * (kWarp / tile.lanes_k) *
                      (ld.baked ? ld.value : Index{ld.multiple_of}) *
                      width_bytes(sides.streamed.type);
  return sides.kept.major == Major::k && most_ends_of_row(sides.streamed.type) <= tile.lanes_k &&
         (tile.repeats == 1 || apart % kChunk == 0);
}

DotShape dot_shape(const DotTile& tile, const KernelProblem& problem) {
  const Sides sides = sides_of(problem, tile.streamed);
  const bool by_k = sides.streamed.major == Major::k, is_shifted = plan::is_shifted(sides.streamed);
  const int of_chunk = elements_of_chunk(sides.streamed.type);
  const Index elements = Index{tile.chunks} * (by_k ? tile.repeats : 1) * of_chunk;
  const Index kept = Index{k_of_lane(tile, sides)} * tile.rows;
  const bool is_whole = by_k && is_shifted && loads_whole_chunks(tile, sides);
  const auto together = [](const KernelMatrix& matrix) {
    return std::max(matrix.access_bytes / width_bytes(matrix.type), 1);
  };
  // Chunks are cut out of others where a row's elements follow each other in the lane's registers.
  const bool is_cut = is_shifted && !is_whole && is_worth_cutting(sides.streamed.type) &&
                      (!by_k || tile.repeats == 1);
  const bool is_kept_anywhere = is_whole || plan::is_shifted(sides.kept);
  const bool is_kept_cut = sides.kept.major == Major::k && is_kept_anywhere && tile.rows == 1;
  const int of_access = !is_shifted || is_whole || is_cut ? of_chunk : together(sides.streamed);
  const int of_kept = sides.kept.major != Major::k       ? 1
                      : is_kept_cut || !is_kept_anywhere ? elements_of_chunk(sides.kept.type)
                      : is_whole                         ? 1
                                                         : together(sides.kept);
  const Index words = words_in(elements, sides.streamed.type) * (is_cut ? 2 : 1),
              kept_words = words_in(kept, sides.kept.type) * (is_kept_cut ? 2 : 1);
  return {.threads = kWarp * tile.warps_k * tile.warps_lines,
          .lanes_k = tile.lanes_k,
          .rows = tile.rows,
          .lines = kWarp / tile.lanes_k * tile.warps_lines * lines_of_lane(tile, sides),
          .k = Index{tile.lanes_k} * tile.warps_k * k_of_lane(tile, sides),
          .streamed = dot_loads(elements, of_access, of_chunk, is_cut),
          .kept = dot_loads(kept, of_kept, elements_of_chunk(sides.kept.type), is_kept_cut),
          .elements = elements,
          .sums = Index{tile.rows} * lines_of_lane(tile, sides),
          .held = words + kept_words,
          .has_ends = is_shifted};
}

Index singles_of(const DotShape& shape) {
  return (shape.streamed.are_single ? shape.streamed.count : 0) +
         (shape.kept.are_single ? shape.kept.count : 0);
}

/// Of a warp, to start so many loads, and of an SM, to give it what they ask for.
double instructions_of(const Loads& loads) {
  return static_cast<double>(loads.count) *
         ((loads.are_single ? kAskSingle : kAsk) + (loads.are_cut ? kCut : 0));
}
double loads_in(const Loads& loads) {
  return static_cast<double>(loads.count) * (loads.are_cut ? 2 : 1);
}
double accesses_of(const Loads& loads) {
  return static_cast<double>(loads.count) * (loads.are_single ? 0.5 : loads.are_cut ? 2 : 1);
}

Prediction predicted_dot_shape(const DotShape& shape, Index lines, Index rows, Index k, Index batch,
                               int width, const DeviceInfo& device) {
  const auto blocks = static_cast<double>(ceil_div(std::max<Index>(lines, 1), shape.lines) *
                                          ceil_div(std::max<Index>(rows, 1), shape.rows) *
                                          std::max<Index>(batch, 1));
  const int sms = std::max(device.sm_count, 1);
  const double resident =
      blocks_of_sm(shape.threads, static_cast<double>(kOwnWords + shape.held + shape.sums), device);
  Prediction result;
  const bool is_f32 = width == width_bytes(DType::f32);
  result.launch = is_f32 ? kLaunchOfF32 : kDotLaunch;
  result.start = (is_f32 ? 0 : kDotStart) + (shape.has_ends ? kEnds : 0);
  result.waves = std::ceil(blocks / (sms * resident));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), shape.k));
  const double instructions = instructions_of(shape.streamed) + instructions_of(shape.kept) +
                              static_cast<double>(shape.elements) * (kElement + shape.rows);
  const double accesses = (accesses_of(shape.streamed) + accesses_of(shape.kept)) * kAccess;
  const double of_sm = std::ceil(blocks / sms), warps = shape.threads / kWarp;
  result.products = of_sm * warps * std::max(instructions / kIssued, accesses) / result.waves;
  result.feed = kDotTurn + kDotTurnOfLoad * (loads_in(shape.streamed) + loads_in(shape.kept));
  result.k_block = std::max(result.products, result.feed);
  // The first turn is part of the start.
  const double slow = is_f32 && singles_of(shape) > 0 ? kSinglesOfF32 : 1;
  const double turns = slow * result.feed * result.waves * result.k_blocks - kDotTurn;
  const double issued = slow * result.waves * result.k_blocks * result.products + of_sm * kDotBlock;
  result.work = std::max(turns, issued);
  const double bytes = static_cast<double>(lines) * static_cast<double>(k) * width *
                       static_cast<double>(batch) *
                       static_cast<double>(ceil_div(std::max<Index>(rows, 1), shape.rows));
  result.memory = bytes / kDotMemory;
  const int steps = std::bit_width(static_cast<unsigned>(shape.lanes_k)) - 1;
  result.meet = steps * (kShuffle + kShuffled * static_cast<double>(shape.sums));
  const double all = together(turns, issued, result.memory, kOverlap);
  result.least = all - std::max(result.work, result.memory);
  result.clocks = result.launch + result.start + all + result.meet;
  return result;
}

/// Has the problem few enough rows, sums that lanes may add, and outputs of single elements?
bool suits_dot_products(const KernelProblem& problem) {
  const auto is_gathered = [](const KernelOperand& output) {
    return output.is_bits || output.gather != EpilogueGather::elements;
  };
  return std::min(problem.m.value, problem.n.value) <= kDotMostRows && problem.products.empty() &&
         (problem.accumulate == DType::f32 || problem.accumulate == DType::f64 ||
          problem.accumulate == DType::s32) &&
         std::ranges::none_of(problem.outputs, is_gathered);
}

/// Where these kernels were measured beside others, and the model speaks of either: so many
/// elements along K that lanes share them out, of f32, or of a stream of 16-bit elements that lies
/// along K.
bool pays(const KernelProblem& problem) {
  constexpr Index kLeastK = 256;
  const Sides sides = sides_of(problem, streamed_of(problem));
  if (problem.k.value < kLeastK) return false;
  if (problem.a.type == DType::f32 && problem.b.type == DType::f32) return true;
  return width_bytes(sides.streamed.type) == 2 && sides.streamed.major == Major::k &&
         (sides.rows == 1 || sides.kept.major == Major::k);
}

/// Lanes and warps along K, and what a lane asks for at a time, of every sensible size.
std::vector<DotTile> tiles_for(const KernelProblem& problem) {
  const Operand streamed = streamed_of(problem);
  const Sides sides = sides_of(problem, streamed);
  const bool by_k = sides.streamed.major == Major::k;
  const Index k = std::max<Index>(problem.k.value, 1);
  const Index along_k = by_k ? ceil_div(k, elements_of_chunk(sides.streamed.type)) : k;
  const int whole =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::min<Index>(along_k, kWarp))));
  // A power of two, so that few kernels serve all.
  const auto rows =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::max<Index>(sides.rows, 1))));
  constexpr std::array kPowers{1, 2, 4, 8, 16};
  std::vector<DotTile> tiles;
  for (const int lanes_k : by_k ? std::vector{std::max(whole, 2)} : std::vector{8, 4})
    for (const int warps_k : kPowers)
      for (const int chunks : kPowers)
        for (const int repeats : kPowers) {
          const DotTile tile{.streamed = streamed,
                             .lanes_k = lanes_k,
                             .warps_k = warps_k,
                             .warps_lines = by_k ? std::max(kBlockWarps / warps_k, 1) : 1,
                             .chunks = chunks,
                             .repeats = repeats,
                             .rows = rows};
          const bool is_long = chunks > 1 || warps_k > 1;
          const DotShape shape = dot_shape(tile, problem);
          if (is_long && Index{lanes_k} * warps_k * chunks >= 2 * along_k) continue;
          if (repeats > 1 && (!by_k || shape.lines >= 2 * std::max<Index>(sides.lines, 1)))
            continue;
          const Index words = words_in(shape.elements, sides.streamed.type);
          if (words * (shape.streamed.are_cut ? 2 : 1) > kHeldWords ||
              shape.held + shape.sums > kOtherWords || singles_of(shape) > kMostSingle)
            continue;
          if (warps_k == 16 ? by_k : warps_k < 4 && !by_k) continue;
          tiles.push_back(tile);
        }
  return tiles;
}

}  // namespace

Prediction predicted(const DotTile& tile, const KernelProblem& problem, const DeviceInfo& device) {
  const Sides sides = sides_of(problem, tile.streamed);
  return predicted_dot_shape(dot_shape(tile, problem), sides.lines, sides.rows, problem.k.value,
                             problem.batch.value, width_bytes(sides.streamed.type), device);
}

bool may_be_dot_products(const KernelProblem& problem, const Config& config) {
  const bool is_wish = config.main_loop == MainLoop::straight;
  return is_ranked_but_for_atom(config) && suits_dot_products(problem) &&
         (is_wish || pays(problem));
}

std::vector<DotTile> ranked_dot_tiles(const KernelProblem& problem, const DeviceInfo& device,
                                      size_t most, Specialize specialize) {
  if (!suits_dot_products(problem)) return {};
  struct Ranked {
    double clocks;
    DotTile tile;
  };
  std::vector<Ranked> list;
  for (const DotTile& tile : tiles_for(problem)) {
    if (specialize == Specialize::shared && !is_shared(tile)) continue;
    const DotShape shape = dot_shape(tile, problem);
    const Index across = tile.streamed == Operand::b ? ceil_div(problem.n.value, shape.lines)
                                                     : ceil_div(problem.n.value, shape.rows);
    if (across > kMostBlocksAcross || problem.batch.value > kMostBlocksAcross) continue;
    list.push_back({predicted(tile, problem, device).clocks, tile});
  }
  std::ranges::stable_sort(list, {}, &Ranked::clocks);
  std::vector<DotTile> best;
  for (size_t i = 0; i < std::min(most, list.size()); ++i) best.push_back(list[i].tile);
  return best;
}

StraightForm form_of(const DotTile& tile, const KernelProblem& problem) {
  const Sides sides = sides_of(problem, tile.streamed);
  const bool by_k = sides.streamed.major == Major::k, is_b = tile.streamed == Operand::b;
  const int elements = elements_of_chunk(sides.streamed.type);
  const int lanes_k = tile.lanes_k, lanes = kWarp / lanes_k, parts = lanes_k * tile.warps_k;
  // Neighbours among lanes lie behind each other in memory.
  const Layout lines =
      coalesce(Layout(IntTuple{lanes, tile.warps_lines}, IntTuple{by_k ? lanes_k : 1, kWarp}));
  const Layout along_k = coalesce(Layout(IntTuple{lanes_k, tile.warps_k},
                                         IntTuple{by_k ? 1 : lanes, kWarp * tile.warps_lines}));
  const Layout one(1, 0);
  const auto run = [](int places, int length) {
    return Tiler(Layout(IntTuple{places, length}, IntTuple{length, 1}));
  };
  const Tiler k = run(parts, by_k ? elements : tile.chunks);
  const Tiler along_lines = by_k ? Tiler::wildcard() : run(lanes * tile.warps_lines, elements);
  const int repeats = by_k ? tile.repeats : 1;
  return {.atoms = is_b ? make_layout({one, lines, along_k}) : make_layout({lines, one, along_k}),
          .permutation = Tiler(std::vector<Tiler>{is_b ? Tiler::wildcard() : along_lines,
                                                  is_b ? along_lines : Tiler::wildcard(), k}),
          .repeat_m = is_b ? tile.rows : repeats,
          .repeat_n = is_b ? repeats : tile.rows,
          .k_steps = by_k ? tile.chunks : 1};
}

int most_ends_of_row(DType type) { return 4 * elements_of_chunk(type); }

bool streams_b(const GemmStep& step) { return step.m.value <= step.n.value; }

std::optional<Prediction> dot_prediction(const GemmStep& step, const DeviceInfo& device) {
  if (step.schedule.lanes_of_k == 0) return std::nullopt;
  const bool is_b = streams_b(step);
  const OperandPlan &streamed = is_b ? step.b : step.a, &kept = is_b ? step.a : step.b;
  const auto loads = [](const OperandPlan& operand) {
    return dot_loads(size(operand.copy_tv[1]), operand.vector_elems,
                     elements_of_chunk(operand.type), operand.shifted);
  };
  const auto words = [](const OperandPlan& operand) {
    return words_in(size(operand.copy_tv[1]), operand.type) * (operand.shifted ? 2 : 1);
  };
  const Index sums = Index{step.tile.m} * step.tile.n * parts_of_k(step) / step.threads;
  const DotShape shape{
      .threads = step.threads,
      .lanes_k = parts_of_k(step) / groups_of_k(step),
      .rows = is_b ? step.tile.m : step.tile.n,
      .lines = is_b ? step.tile.n : step.tile.m,
      .k = step.tile.k,
      .streamed = loads(streamed),
      .kept = loads(kept),
      .elements = size(streamed.copy_tv[1]),
      .sums = sums,
      .held = words(streamed) + words(kept),
      .has_ends = streamed.shifted || streamed.from_chunk || loads(streamed).are_single};
  return predicted_dot_shape(shape, is_b ? step.n.value : step.m.value,
                             is_b ? step.m.value : step.n.value, step.k.value, step.batch.value,
                             width_bytes(streamed.type), device);
}

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
  const double clocks = predicted(tiles[0], problem, device).clocks;
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

}  // namespace jute::plan

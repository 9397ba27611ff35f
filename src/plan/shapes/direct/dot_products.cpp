// Deals the large operand's rows to lanes.
#include "plan/shapes/direct/dot_products.hpp"

#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "plan/ask/wish_rules.hpp"
#include "plan/chip/line.hpp"
#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/shapes/direct/straight_form.hpp"

namespace jute::plan {
namespace {

constexpr Index kDotMostRows = 4;  // of the other operand
// Instructions for an element of the large operand, beside a multiply-add for each row: to make of
// it, and of the small one's, what is multiplied.
constexpr int kMadeOfElement = 2;
constexpr int kBlockWarps = 8;  // of rows along K
constexpr int kHeldWords = 32;  // registers of a lane for what it has asked for
// With those of the other operand: bench/results/2026-11-22-terms-inputs-dot-products.md.
constexpr int kOtherWords = 96;
// Elements that a lane may ask for one by one: bench/results/2026-11-27-one-to-four-rows.md.
constexpr Index kMostSingle = 48;

}  // namespace

DotSides sides_of(const KernelProblem& problem, Operand streamed) {
  if (streamed == Operand::b) return {problem.b, problem.a, problem.n.value, problem.m.value};
  return {problem.a, problem.b, problem.m.value, problem.n.value};
}
namespace {

Operand streamed_of(const KernelProblem& problem) {
  return problem.m.value > problem.n.value ? Operand::a : Operand::b;
}

bool is_shifted(const KernelMatrix& matrix) { return matrix.access_bytes < kChunk; }

int lines_of_lane(const Tile& tile, const DotSides& sides) {
  return sides.streamed.major == Major::k ? tile.repeat_n : chunk_of(sides.streamed);
}

int k_of_lane(const Tile& tile, const DotSides& sides) {
  return tile.k_steps * (sides.streamed.major == Major::k ? chunk_of(sides.streamed) : 1);
}

/// Do all rows of which a lane has parts begin as far behind a chunk, so that whole ones are
/// loaded?
bool loads_whole_chunks(const Tile& tile, const DotSides& sides) {
  const Extent& ld = sides.streamed.ld;
  const Index apart = Index{tile.groups_n} * (kWarp / tile.lanes_k) *
                      (ld.baked ? ld.value : Index{ld.multiple_of}) *
                      width_bytes(sides.streamed.type);
  return sides.kept.major == Major::k && most_ends_of_row(sides.streamed.type) <= tile.lanes_k &&
         (tile.repeat_n == 1 || apart % kChunk == 0);
}

/// Where these kernels were measured beside others, and the model speaks of either: so many
/// elements along K that lanes share them out, of f32, or of a stream of 16-bit elements that lies
/// along K.
bool pays(const KernelProblem& problem) {
  constexpr Index kLeastK = 256;
  const DotSides sides = sides_of(problem, streamed_of(problem));
  if (problem.k.value < kLeastK) return false;
  if (problem.a.type == DType::f32 && problem.b.type == DType::f32) return true;
  return width_bytes(sides.streamed.type) == 2 && sides.streamed.major == Major::k &&
         (sides.rows == 1 || sides.kept.major == Major::k);
}

}  // namespace

Tile covered_by_dots(Tile tile, const KernelProblem& problem) {
  const DotSides sides = sides_of(problem, tile.streamed);
  const int lines = kWarp / tile.lanes_k * tile.groups_n * lines_of_lane(tile, sides);
  const bool is_b = tile.streamed == Operand::b;
  tile.m = is_b ? tile.repeat_m : lines;
  tile.n = is_b ? lines : tile.repeat_m;
  tile.k_bytes =
      tile.lanes_k * tile.groups_k * k_of_lane(tile, sides) * width_bytes(problem.a.type);
  return tile;
}

BothAccesses dot_accesses(const Tile& tile, const KernelProblem& problem) {
  const DotSides sides = sides_of(problem, tile.streamed);
  const bool by_k = sides.streamed.major == Major::k, is_shifted = plan::is_shifted(sides.streamed);
  const int of_chunk = chunk_of(sides.streamed);
  const Index elements = Index{tile.k_steps} * (by_k ? tile.repeat_n : 1) * of_chunk;
  const Index kept = Index{k_of_lane(tile, sides)} * tile.repeat_m;
  const bool is_whole = by_k && is_shifted && loads_whole_chunks(tile, sides);
  const auto together = [](const KernelMatrix& matrix) {
    return std::max(matrix.access_bytes / width_bytes(matrix.type), 1);
  };
  // Chunks are cut out of others where a row's elements follow each other in the lane's registers.
  const bool is_cut = is_shifted && !is_whole && is_worth_cutting(sides.streamed.type) &&
                      (!by_k || tile.repeat_n == 1);
  const bool is_kept_anywhere = is_whole || plan::is_shifted(sides.kept);
  const bool is_kept_cut = sides.kept.major == Major::k && is_kept_anywhere && tile.repeat_m == 1;
  const int of_access = !is_shifted || is_whole || is_cut ? of_chunk : together(sides.streamed);
  const int kept_chunk =
      std::min(chunk_of(sides.kept), sides.kept.stored ? of_chunk : chunk_of(sides.kept));
  const int of_kept = sides.kept.major != Major::k       ? 1
                      : is_kept_cut || !is_kept_anywhere ? kept_chunk
                      : is_whole                         ? 1
                                                         : together(sides.kept);
  const Accesses streamed{static_cast<double>(elements / std::max(of_access, 1)), elements,
                          of_access < of_chunk, is_cut},
      others{static_cast<double>(kept / std::max(of_kept, 1)), kept, of_kept < kept_chunk,
             is_kept_cut};
  return tile.streamed == Operand::b ? BothAccesses{others, streamed}
                                     : BothAccesses{streamed, others};
}

namespace {

/// Registers of a lane for what it has asked for.
Index held_by_dots(const Accesses& accesses, const KernelMatrix& matrix) {
  return held_words(matrix.stored, matrix.type, accesses.elements) * (accesses.are_cut ? 2 : 1);
}

/// Instructions that start loads.
double dot_instructions(const Accesses& accesses) {
  return accesses.loads * (accesses.are_cut ? 2 : 1);
}

/// Bytes of shared memory's path, on which an SM's loads come: of a chunk for each lane of a warp,
/// of single elements half as many.
double dot_bytes(const Accesses& accesses) {
  return dot_instructions(accesses) * kWarp * kChunk / (accesses.are_single ? 2 : 1);
}

/// Sums of a lane.
Index dot_sums(const Tile& tile) {
  const int threads = kWarp * tile.groups_k * tile.groups_n;
  return Index{tile.m} * tile.n * tile.lanes_k * tile.groups_k / threads;
}

/// Have registers of a lane room for what it asks for?
bool fits_lane(const Tile& tile, const KernelProblem& problem) {
  const BothAccesses accesses = dot_accesses(tile, problem);
  const bool is_b = tile.streamed == Operand::b;
  const Accesses &streamed = is_b ? accesses.b : accesses.a, &kept = is_b ? accesses.a : accesses.b;
  const DotSides sides = sides_of(problem, tile.streamed);
  const Index held = held_by_dots(streamed, sides.streamed);
  const double singles =
      (streamed.are_single ? streamed.loads : 0) + (kept.are_single ? kept.loads : 0);
  return held <= kHeldWords &&
         held + held_by_dots(kept, sides.kept) + dot_sums(tile) <= kOtherWords &&
         singles <= kMostSingle;
}

}  // namespace

Block dot_block(const Tile& tile, const BothAccesses& accesses, const KernelProblem& problem) {
  // Registers of a lane beside sums and what it has asked for: addresses, bounds, counters.
  constexpr int kOwnOfLane = 32;
  const bool is_b = tile.streamed == Operand::b;
  const Accesses &streamed = is_b ? accesses.b : accesses.a, &kept = is_b ? accesses.a : accesses.b;
  const DotSides sides = sides_of(problem, tile.streamed);
  const int width = width_bytes(problem.a.type), rows = is_b ? tile.m : tile.n;
  Block block = block_of_tile({tile.m, tile.n, tile.k_bytes / width}, problem);
  block.a_begins = block.b_begins = kLine;
  block.streams = 1;
  const StoredElements stored =
      stored_elements(sides.streamed.stored, sides.streamed.type, streamed.elements);
  constexpr double kByteBits = 8;
  if (stored.bits > 0) (is_b ? block.b_bytes : block.a_bytes) = stored.bits / kByteBits;
  block.threads = kWarp * tile.groups_k * tile.groups_n;
  block.warps = block.threads / kWarp;
  block.registers = static_cast<double>(kOwnOfLane + held_by_dots(streamed, sides.streamed) +
                                        held_by_dots(kept, sides.kept) + dot_sums(tile));
  block.products = block.threads * static_cast<double>(streamed.elements) * (rows + kMadeOfElement);
  block.smem_read = block.warps * (dot_bytes(streamed) + dot_bytes(kept));
  block.copies = block.begins_with =
      block.warps * (dot_instructions(streamed) + dot_instructions(kept));
  block.converted = block.warps * stored.instructions;
  block.parts = std::max(1.0, 1.0 * tile.lanes_k / kWarp);
  return block;
}

bool suits_dot_products(const KernelProblem& problem) {
  const auto is_gathered = [](const KernelOperand& output) {
    return output.is_bits || output.gather != EpilogueGather::elements;
  };
  return std::min(problem.m.value, problem.n.value) <= kDotMostRows && problem.products.empty() &&
         (problem.accumulate == DType::f32 || problem.accumulate == DType::f64 ||
          problem.accumulate == DType::s32) &&
         std::ranges::none_of(problem.outputs, is_gathered);
}

std::vector<Tile> dot_tiles(const KernelProblem& problem) {
  const Operand streamed = streamed_of(problem);
  const DotSides sides = sides_of(problem, streamed);
  const bool by_k = sides.streamed.major == Major::k;
  const Index k = std::max<Index>(problem.k.value, 1);
  const Index along_k = by_k ? ceil_div(k, chunk_of(sides.streamed)) : k;
  const int whole =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::min<Index>(along_k, kWarp))));
  // A power of two, so that few kernels serve all.
  const auto rows =
      static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(std::max<Index>(sides.rows, 1))));
  constexpr std::array kPowers{1, 2, 4, 8, 16};
  std::vector<Tile> tiles;
  for (const int lanes_k : by_k ? std::vector{std::max(whole, 2)} : std::vector{8, 4})
    for (const int warps_k : kPowers)
      for (const int chunks : kPowers)
        for (const int repeats : kPowers) {
          const Tile tile{.groups_n = by_k ? std::max(kBlockWarps / warps_k, 1) : 1,
                          .groups_k = warps_k,
                          .lanes_k = lanes_k,
                          .repeat_m = rows,
                          .repeat_n = repeats,
                          .k_steps = chunks,
                          .streamed = streamed};
          const bool is_long = chunks > 1 || warps_k > 1;
          if (is_long && Index{lanes_k} * warps_k * chunks >= 2 * along_k) continue;
          const Tile covered = covered_by_dots(tile, problem);
          const int lines = streamed == Operand::b ? covered.n : covered.m;
          if (repeats > 1 && (!by_k || lines >= 2 * std::max<Index>(sides.lines, 1))) continue;
          if (!fits_lane(covered, problem)) continue;
          if (warps_k == 16 ? by_k : warps_k < 4 && !by_k) continue;
          tiles.push_back(tile);
        }
  return tiles;
}

bool may_be_dot_products(const KernelProblem& problem, const Config& config) {
  const bool is_wish = config.main_loop == MainLoop::straight;
  return is_ranked_but_for_atom(config) && suits_dot_products(problem) &&
         (is_wish || pays(problem));
}

StraightForm dot_form(const Tile& tile, const KernelProblem& problem) {
  const DotSides sides = sides_of(problem, tile.streamed);
  const bool by_k = sides.streamed.major == Major::k, is_b = tile.streamed == Operand::b;
  const int elements = chunk_of(sides.streamed);
  const int lanes_k = tile.lanes_k, lanes = kWarp / lanes_k, parts = lanes_k * tile.groups_k;
  // Neighbours among lanes lie behind each other in memory.
  const Layout lines =
      coalesce(Layout(IntTuple{lanes, tile.groups_n}, IntTuple{by_k ? lanes_k : 1, kWarp}));
  const Layout along_k = coalesce(
      Layout(IntTuple{lanes_k, tile.groups_k}, IntTuple{by_k ? 1 : lanes, kWarp * tile.groups_n}));
  const Layout one(1, 0);
  const auto run = [](int places, int length) {
    return Tiler(Layout(IntTuple{places, length}, IntTuple{length, 1}));
  };
  const Tiler k = run(parts, by_k ? elements : tile.k_steps);
  const Tiler along_lines = by_k ? Tiler::wildcard() : run(lanes * tile.groups_n, elements);
  const int repeats = by_k ? tile.repeat_n : 1;
  return {.atoms = is_b ? make_layout({one, lines, along_k}) : make_layout({lines, one, along_k}),
          .permutation = Tiler(std::vector<Tiler>{is_b ? Tiler::wildcard() : along_lines,
                                                  is_b ? along_lines : Tiler::wildcard(), k}),
          .repeat_m = is_b ? tile.repeat_m : repeats,
          .repeat_n = is_b ? repeats : tile.repeat_m,
          .k_steps = by_k ? tile.k_steps : 1};
}

int most_ends_of_row(DType type) { return 4 * elements_of_chunk(type); }

bool streams_b(const GemmStep& step) { return step.m.value <= step.n.value; }

bool is_worth_cutting(DType type) { return width_bytes(type) < 4; }

}  // namespace jute::plan

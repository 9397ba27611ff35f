// Atoms of a warp, repeats along M and N, parts of K.
#include "plan/shapes/straight_tiles.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "plan/chip/warp.hpp"
#include "plan/shapes/shared_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr int kMostParts = 8;              // of K, in a block
constexpr int kFragmentWords = 96;         // registers of a thread for the fragments of a k-tile
constexpr double kMostProducts = 1 << 30;  // nor one of more multiply-adds

/// Loads for one instruction's fragment: neighbours along K that rows let a thread take together.
Index straight_loads(const MmaAtom& atom, Operand operand, const KernelMatrix& matrix) {
  const Index values = values_per_thread(atom, operand);
  const int width = width_bytes(matrix.type), word = std::max(4 / width, 1);
  const Index together =
      matrix.major == Major::k ? std::clamp(matrix.access_bytes / width, 1, word) : 1;
  return (values + together - 1) / together;
}

/// Atoms of less than a warp share one, along M and N.
struct WarpOfAtoms {
  int m = 1, n = 1;
};

WarpOfAtoms warp_of(const MmaAtom& atom) {
  WarpOfAtoms warp;
  while (warp.m * warp.n * threads(atom) < 32) (warp.m > warp.n ? warp.n : warp.m) *= 2;
  return warp;
}

/// Groups that K keeps busy, and instructions of one along K that its registers hold.
bool complete(StraightTile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const Index steps = ceil_div(std::max<Index>(problem.k.value, 1), atom.shape.k);
  if (tile.parts_of_k > steps) return false;
  const auto words = [&](Operand operand, DType type) {
    return (values_per_thread(atom, operand) * width_bits(type) + 31) / 32;
  };
  const Index of_step = tile.repeat_m * words(Operand::a, problem.a.type) +
                        tile.repeat_n * words(Operand::b, problem.b.type);
  const Index most = std::max<Index>(kFragmentWords / std::max<Index>(of_step, 1), 1);
  tile.k_steps = static_cast<int>(std::min(ceil_div(steps, tile.parts_of_k), most));
  return true;
}

}  // namespace

StraightWork work_of(const MmaAtom& atom, const StraightTile& choice,
                     const KernelProblem& problem) {
  const auto [m, n] = warp_of(atom);
  const int width = width_bytes(problem.a.type);
  const Index loads_a =
      choice.k_steps * choice.repeat_m * straight_loads(atom, Operand::a, problem.a);
  const Index loads_b =
      choice.k_steps * choice.repeat_n * straight_loads(atom, Operand::b, problem.b);
  return {.threads = m * n * threads(atom) * choice.parts_of_k,
          .parts_of_k = choice.parts_of_k,
          .width = width,
          .tile = {atom.shape.m * m * choice.repeat_m, atom.shape.n * n * choice.repeat_n,
                   atom.shape.k * choice.parts_of_k * choice.k_steps},
          .a = {loads_a, problem.a.major, problem.m.value},
          .b = {loads_b, problem.b.major, problem.n.value},
          .products = Index{choice.k_steps} * choice.repeat_m * choice.repeat_n,
          .stores_together = problem.d.access_bytes > width_bytes(problem.d.type),
          .is_shared = choice.is_shared};
}

bool may_be_straight(const KernelProblem& problem, const DeviceInfo& device) {
  const Index at_once = std::min(problem.batch.value, most_blocks_at_once(device));
  return static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value) *
             static_cast<double>(problem.k.value) * static_cast<double>(at_once) <=
         kMostProducts;
}

namespace {

/// Those of the short list that suit the atom and the problem.
std::vector<StraightTile> of_short_list(const MmaAtom& atom, const KernelProblem& problem,
                                        const DeviceInfo& device) {
  std::vector<StraightTile> tiles;
  for (StraightTile tile : shared_straight_tiles()) {
    if (tile.parts_of_k > 1 && problem.accumulate == DType::f16) continue;
    if (work_of(atom, tile, problem).threads > limits(device.arch).threads_per_block) continue;
    tile.is_shared = true;
    tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace

namespace {

/// Of many tiny products, all of one: nothing is read twice.
std::optional<StraightTile> whole_product(const MmaAtom& atom, const KernelProblem& problem,
                                          const DeviceInfo& device) {
  constexpr Index kMostSums = 64;  // of a thread
  if (problem.batch.value <= most_blocks_at_once(device)) return std::nullopt;
  const WarpOfAtoms warp = warp_of(atom);
  const Index m = ceil_div(std::max<Index>(problem.m.value, 1), atom.shape.m * warp.m);
  const Index n = ceil_div(std::max<Index>(problem.n.value, 1), atom.shape.n * warp.n);
  if (m > kMostSums || n > kMostSums || m * n * values_per_thread(atom, Operand::c) > kMostSums)
    return std::nullopt;
  StraightTile tile{.repeat_m = static_cast<int>(m),
                    .repeat_n = static_cast<int>(n),
                    .parts_of_k = 1,
                    .k_steps = 1};
  return complete(tile, atom, problem) ? std::optional(tile) : std::nullopt;
}

}  // namespace

std::vector<StraightTile> straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                         const DeviceInfo& device, Specialize specialize) {
  if (specialize == Specialize::shared) return of_short_list(atom, problem, device);
  constexpr std::array<std::pair<int, int>, 5> kRepeats{{{1, 1}, {1, 2}, {2, 2}, {2, 4}, {1, 4}}};
  const bool adds = problem.accumulate != DType::f16;
  const WarpOfAtoms warp = warp_of(atom);
  std::vector<StraightTile> tiles;
  if (std::optional<StraightTile> whole = whole_product(atom, problem, device))
    tiles.push_back(*whole);
  for (const auto& [repeat_m, repeat_n] : kRepeats)
    for (int parts = 1; parts <= (adds ? kMostParts : 1); ++parts) {
      StraightTile tile{
          .repeat_m = repeat_m, .repeat_n = repeat_n, .parts_of_k = parts, .k_steps = 1};
      if (threads(atom) * warp.m * warp.n * parts > limits(device.arch).threads_per_block) continue;
      if (complete(tile, atom, problem)) tiles.push_back(tile);
    }
  return tiles;
}

StraightForm form_of(const StraightTile& tile, const MmaAtom& atom) {
  // Atoms of less than a warp share one; those along K are slowest.
  int m = 1, n = 1;
  while (m * n * threads(atom) < kWarp) (m > n ? n : m) *= 2;
  return {.atoms = Layout(IntTuple{m, n, tile.parts_of_k}),
          .permutation = Tiler("(_,_,_)"),
          .repeat_m = tile.repeat_m,
          .repeat_n = tile.repeat_n,
          .k_steps = tile.k_steps};
}

}  // namespace jute::plan

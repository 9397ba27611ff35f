// Atoms of a warp, repeats along M and N, parts of K.
#include "plan/shapes/direct/straight_tiles.hpp"

#include <jute/base/arch_feature.hpp>
#include <jute/base/checked.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "plan/chip/warp.hpp"
#include "plan/convert/stored_elements.hpp"
#include "plan/shapes/generic_tiles.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr int kMostParts = 8;           // of K, in a block
constexpr int kMostPartsOfStored = 16;  // whose loads bring fewer bytes each
// Registers of a thread for the fragments of a k-tile, by hardware: 255 with all else.
constexpr int kFragmentWords = 96;
constexpr double kMostProducts = 1 << 30;  // nor one of more multiply-adds

/// Lanes of a warp that share out an instruction's K: each has pairs, 8 elements apart. Source: PTX
/// ISA, fragments of mma.m16n8k8 and mma.m16n8k16 of 16-bit types.
constexpr int kLanesOfK = 4, kPairLanes = 8;

bool has_pairs_along_k(const MmaAtom& atom) {
  return atom.form == MmaForm::mma && atom.a_type.bits == 16 && atom.b_type.bits == 16 &&
         atom.shape.k % kPairLanes == 0;
}

/// Instructions along K whose elements a thread loads as neighbours, so that one access of stored
/// elements is as wide as it may be.
int run_steps_of(const MmaAtom& atom, const KernelProblem& problem) {
  int chunk = 1;
  for (const KernelMatrix* const matrix : {&problem.a, &problem.b})
    if (matrix->stored && matrix->major == Major::k) chunk = std::max(chunk, chunk_of(*matrix));
  return has_pairs_along_k(atom) ? std::max(chunk / (atom.shape.k / kLanesOfK), 1) : 1;
}

/// Loads of a thread for a k-tile's fragments of an operand that lies along K, all of whose
/// elements for `run_steps` instructions are neighbours.
Index run_loads(const MmaAtom& atom, Operand operand, const KernelMatrix& matrix,
                const Tile& tile) {
  const int repeats = operand == Operand::a ? tile.repeat_m : tile.repeat_n;
  const int run = tile.k_run * atom.shape.k / kLanesOfK;
  const int together = matrix.stored
                           ? chunk_of(matrix)
                           : std::min(elements_of_chunk(matrix.type),
                                      std::max(matrix.access_bytes / width_bytes(matrix.type), 1));
  return Index{tile.k_steps} * repeats * values_per_thread(atom, operand) / std::min(run, together);
}

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

/// Words of a thread for what elements of a run lie in until they are multiplied.
Index words_of_run(const Tile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const auto words = [&](Operand operand, const KernelMatrix& matrix) {
    return held_words(matrix.stored, matrix.type, tile.k_run * values_per_thread(atom, operand));
  };
  return tile.repeat_m * words(Operand::a, problem.a) +
         tile.repeat_n * words(Operand::b, problem.b);
}

/// Has a thread registers for its fragments, its sums, and words that become others? A block's are
/// dealt out to quarters of an SM.
bool holds_stored(const Tile& tile, int threads, const MmaAtom& atom, const KernelProblem& problem,
                  const DeviceInfo& device) {
  // bench/results/2026-11-29-words-of-weights.md.
  constexpr Index kOwnWords = 48, kThreads = 4 * kWarp;
  const Index sums = Index{tile.repeat_m} * tile.repeat_n * values_per_thread(atom, Operand::c);
  const Index fragments = tile.k_steps / tile.k_run * words_of_run(tile, atom, problem);
  const Index dealt = ceil_div(Index{threads}, kThreads) * kThreads;
  return (fragments + sums + kOwnWords) * dealt <= device.registers_per_sm;
}

/// Groups that K keeps busy, and instructions of one along K that its registers hold.
bool complete(Tile& tile, const MmaAtom& atom, const KernelProblem& problem) {
  const Index run = tile.k_run,
              runs = ceil_div(std::max<Index>(problem.k.value, 1), atom.shape.k * run);
  if (tile.groups_k > runs) return false;
  const Index of_run = words_of_run(tile, atom, problem);
  const Index most = std::max<Index>(kFragmentWords / std::max<Index>(of_run, 1), 1);
  tile.k_steps = static_cast<int>(run * std::min(ceil_div(runs, tile.groups_k), most));
  return true;
}

}  // namespace

Tile covered_by_warps(Tile tile, const MmaAtom& atom, const KernelProblem& problem) {
  const auto [m, n] = warp_of(atom);
  tile.m = atom.shape.m * m * tile.repeat_m;
  tile.n = atom.shape.n * n * tile.repeat_n;
  tile.k_bytes = atom.shape.k * tile.groups_k * tile.k_steps * width_bytes(problem.a.type);
  return tile;
}

BothAccesses straight_accesses(const Tile& tile, const MmaAtom& atom,
                               const KernelProblem& problem) {
  const auto side = [&](Operand operand, const KernelMatrix& matrix, int repeats) {
    const Index loads = tile.k_run > 1 && matrix.major == Major::k
                            ? run_loads(atom, operand, matrix, tile)
                            : tile.k_steps * repeats * straight_loads(atom, operand, matrix);
    return Accesses{.loads = static_cast<double>(loads),
                    .elements = Index{tile.k_steps} * repeats * values_per_thread(atom, operand)};
  };
  return {side(Operand::a, problem.a, tile.repeat_m), side(Operand::b, problem.b, tile.repeat_n)};
}

namespace {

constexpr double kWordBits = 32, kBitsAByte = 8;

int threads_of(const Tile& tile) { return kWarp * tile.groups_m * tile.groups_n * tile.groups_k; }

/// Sums of a thread.
double straight_sums(const Tile& tile) {
  return static_cast<double>(tile.m) * tile.n * tile.groups_k / threads_of(tile);
}

/// Registers of a thread, with the fragments of a k-tile on their way.
double straight_registers(const Tile& tile, int width) {
  // Its own, and for each word of those, which has an address; its own where it adds sums, for each
  // of them and of all parts of K: bench/results/2026-11-28-straight-short-k-suite.md.
  constexpr double kStraightOwn = 10, kStraightOfWord = 2, kOwnToAdd = 28, kOfSum = 0.4,
                   kOfPart = 0.33;
  const double words = static_cast<double>(tile.m + tile.n) * (tile.k_bytes / width) * width /
                       kRegisterBytes / threads_of(tile);
  const double to_add =
      tile.groups_k > 1 ? kOwnToAdd + (kOfSum + kOfPart * tile.groups_k) * straight_sums(tile) : 0;
  return std::max(kStraightOwn + kStraightOfWord * words, to_add);
}

/// Registers of a thread that has a k-tile of stored elements and asks for the next: both, but for
/// what stages have, a share of what they become, the other operand's, and sums. A little below
/// what compilers take.
double stored_registers(const Tile& tile, int bits, bool is_b, int width) {
  // Its own, the share of what becomes of words, k-tiles:
  // bench/results/2026-11-29-words-of-weights.md.
  constexpr double kStoredOwn = 24, kStoredShare = 0.25, kStoredTiles = 2;
  const double of_line = static_cast<double>(tile.k_bytes / width) / threads_of(tile);
  const double stored = of_line * (is_b ? tile.n : tile.m),
               other = of_line * (is_b ? tile.m : tile.n);
  const double words = width * kBitsAByte / kWordBits;
  const double tiles = tile.stages > 1 ? 1 : kStoredTiles;
  return kStoredOwn + other * words + stored * (tiles * bits / kWordBits + kStoredShare * words) +
         straight_sums(tile);
}

/// Shared memory of a block whose threads bring stored elements, of the larger operand, to stages,
/// and add their sums.
Index ring_bytes(const Tile& tile, int bits, bool is_b, int width) {
  constexpr Index kBits = 8, kSumBytes = 4;
  const Index lines = is_b ? tile.n : tile.m;
  return tile.stages * lines * (tile.k_bytes / width) * bits / kBits +
         Index{tile.groups_k - 1} * tile.m * tile.n * kSumBytes;
}

/// Sectors of a warp's loads of fragments: one of each of eight rows along K, whole ones of four
/// rows of K along M or N. Rows that the problem lacks are not loaded; longer elements take as many
/// more.
double fragment_sectors(double loads, double rows, double pitch, double width) {
  constexpr double kRowsOfK = 4, kRows = 8;
  const double sectors = pitch == 0 ? rows : kRowsOfK * (1 + rows / kRows) / 2;
  return loads * sectors * std::max(width / kRegisterBytes, 1.0);
}

/// A fragment has neighbours along N: stored one by one, elements narrower than a word leave each
/// word to two instructions, for so many times the clocks.
double stores_of(const KernelMatrix& d) {
  constexpr double kWordsInParts = 4;
  const bool are_narrow = width_bits(d.type) < kWordBits;
  const bool are_together = d.access_bytes > width_bytes(d.type);
  return are_narrow && !are_together ? kWordsInParts : 1;
}

/// Sets what threads load themselves, and what they make of stored elements.
void set_fragments(Block& block, const Tile& tile, const BothAccesses& accesses,
                   const KernelProblem& problem) {
  const bool is_b = problem.m.value <= problem.n.value;
  const KernelMatrix& larger = is_b ? problem.b : problem.a;
  const int width = width_bytes(problem.a.type);
  set_loads(block, accesses, problem);
  block.accesses =
      block.warps * (fragment_sectors(block.a_loads, block.a_rows, block.a_pitch, width) +
                     fragment_sectors(block.b_loads, block.b_rows, block.b_pitch, width));
  block.instructions = static_cast<double>(Index{tile.k_steps} * tile.repeat_m * tile.repeat_n);
  const StoredElements stored =
      stored_elements(larger.stored, larger.type, (is_b ? accesses.b : accesses.a).elements);
  block.stored_bits = stored.bits;
  block.stored_made = stored.instructions;
  block.registers = stored.bits > 0 ? stored_registers(tile, stored.bits, is_b, width)
                                    : straight_registers(tile, width);
  block.ring = tile.stages;
  if (stored.bits > 0 && tile.stages > 1)
    block.smem_bytes = static_cast<double>(ring_bytes(tile, stored.bits, is_b, width));
}

}  // namespace

Block straight_block(const Tile& tile, const BothAccesses& accesses, const KernelProblem& problem,
                     const DeviceInfo& device) {
  const TileShape shape{tile.m, tile.n, tile.k_bytes / width_bytes(problem.a.type)};
  const int threads = threads_of(tile);
  const bool is_alone = tile.groups_k > 1 || tile.is_generic;
  const int matrices =
      is_alone ? 1
               : std::max(matrices_of_block(threads, shape, problem.m.value, problem.n.value,
                                            problem.batch.value, device),
                          1);
  Block block = block_of_tile(shape, problem);
  block.threads = threads;
  block.warps = block.threads / kWarp;
  block = with_matrices(block, matrices);
  block.parts = tile.groups_k;
  block.stores = stores_of(problem.d);
  set_fragments(block, tile, accesses, problem);
  return block;
}

bool may_be_straight(const KernelProblem& problem, const DeviceInfo& device) {
  const Index at_once = std::min(problem.batch.value, most_blocks_at_once(device));
  return static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value) *
             static_cast<double>(problem.k.value) * static_cast<double>(at_once) <=
         kMostProducts;
}

namespace {

/// Tiles of the short list that suit the atom and the problem.
std::vector<Tile> of_short_list(const KernelProblem& problem, const DeviceInfo& device) {
  std::vector<Tile> tiles;
  for (Tile tile : shared_straight_tiles()) {
    if (tile.groups_k > 1 && problem.accumulate == DType::f16) continue;
    if (threads_of(tile) > limits(device.arch).threads_per_block) continue;
    tile.is_generic = true;
    tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace

namespace {

/// The tile that is all of one of many tiny products: nothing is read twice.
std::optional<Tile> whole_product(const MmaAtom& atom, const KernelProblem& problem,
                                  const DeviceInfo& device) {
  constexpr Index kMostSums = 64;  // of a thread
  if (problem.batch.value <= most_blocks_at_once(device)) return std::nullopt;
  const WarpOfAtoms warp = warp_of(atom);
  const Index m = ceil_div(std::max<Index>(problem.m.value, 1), atom.shape.m * warp.m);
  const Index n = ceil_div(std::max<Index>(problem.n.value, 1), atom.shape.n * warp.n);
  if (m > kMostSums || n > kMostSums || m * n * values_per_thread(atom, Operand::c) > kMostSums)
    return std::nullopt;
  Tile tile{.repeat_m = static_cast<int>(m), .repeat_n = static_cast<int>(n)};
  return complete(tile, atom, problem) ? std::optional(tile) : std::nullopt;
}

}  // namespace

namespace {

/// The tile by stages of what each thread converts, where chip and accesses let it have those. Two:
/// with more on its way an H200 was no sooner. bench/results/2026-11-30-few-rows-of-weights.md.
std::optional<Tile> with_ring(Tile tile, const MmaAtom& atom, const KernelProblem& problem,
                              const DeviceInfo& device) {
  // By hardware: cp.async brings 4 bytes at least.
  constexpr int kLeastBits = 32, kTwo = 2;
  if (problem.gate || tile.k_run == 1 || !provides(device.arch, ArchFeature::async_copies))
    return std::nullopt;
  const bool is_b = problem.m.value <= problem.n.value;
  const KernelMatrix &larger = is_b ? problem.b : problem.a, &other = is_b ? problem.a : problem.b;
  if (!larger.stored || other.stored || larger.major != Major::k ||
      chunk_of(larger) * width_bits(larger.stored->type) < kLeastBits)
    return std::nullopt;
  tile.k_steps = tile.k_run;
  tile.stages = kTwo;
  if (Index{tile.k_steps} * tile.groups_k * atom.shape.k >= problem.k.value) return std::nullopt;
  const Tile covered = covered_by_warps(tile, atom, problem);
  const int bits = width_bits(larger.stored->type), width = width_bytes(problem.a.type);
  const bool is_held = holds_stored(tile, threads_of(tile), atom, problem, device) &&
                       ring_bytes(covered, bits, is_b, width) <= device.smem_bytes_per_block;
  return is_held ? std::optional(tile) : std::nullopt;
}

}  // namespace

namespace {

std::vector<Tile> of_problem(const MmaAtom& atom, const KernelProblem& problem,
                             const DeviceInfo& device) {
  // Loads of stored elements are few beside those of what they are multiplied by: more columns
  // share these: bench/results/2026-11-29-words-of-weights.md.
  constexpr std::array<std::pair<int, int>, 10> kRepeats{
      {{1, 1}, {1, 2}, {2, 2}, {2, 4}, {1, 4}, {1, 8}, {2, 8}, {2, 1}, {4, 1}, {4, 2}}};
  constexpr std::size_t kOfPlain =
      5;  // of these, bench/results/2026-11-28-straight-short-k-suite.md
  const bool adds = problem.accumulate != DType::f16,
             is_stored = problem.a.stored || problem.b.stored;
  const int most_parts = is_stored ? kMostPartsOfStored : kMostParts;
  const WarpOfAtoms warp = warp_of(atom);
  std::vector<Tile> tiles;
  // A lane would load single bytes of others.
  if (is_stored && atom.form == MmaForm::mma && !has_pairs_along_k(atom)) return tiles;
  if (std::optional<Tile> whole = whole_product(atom, problem, device)) tiles.push_back(*whole);
  for (const auto& [repeat_m, repeat_n] :
       std::span(kRepeats).first(is_stored ? kRepeats.size() : kOfPlain))
    for (int parts = 1; parts <= (adds ? most_parts : 1); ++parts) {
      Tile tile{.groups_k = parts,
                .repeat_m = repeat_m,
                .repeat_n = repeat_n,
                .k_run = run_steps_of(atom, problem)};
      const int all = threads(atom) * warp.m * warp.n * parts;
      if (all > limits(device.arch).threads_per_block || !complete(tile, atom, problem)) continue;
      if (!is_stored || holds_stored(tile, all, atom, problem, device)) tiles.push_back(tile);
      if (const auto ring = with_ring(tile, atom, problem, device)) tiles.push_back(*ring);
    }
  return tiles;
}

}  // namespace

std::vector<Tile> straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                 const DeviceInfo& device, Specialize specialize) {
  std::vector<Tile> tiles = specialize == Specialize::generic ? of_short_list(problem, device)
                                                              : of_problem(atom, problem, device);
  const bool is_b = problem.m.value <= problem.n.value;
  if (!(is_b ? problem.b : problem.a).stored) return tiles;
  const auto again = std::stable_partition(tiles.begin(), tiles.end(), [&](const Tile& tile) {
    const Tile covered = covered_by_warps(tile, atom, problem);
    return is_b ? covered.m >= problem.m.value : covered.n >= problem.n.value;
  });
  if (again != tiles.begin()) tiles.erase(again, tiles.end());
  return tiles;
}

StraightForm straight_form(const Tile& tile, const MmaAtom& atom) {
  // Atoms of less than a warp share one; those along K are slowest.
  int m = 1, n = 1;
  while (m * n * threads(atom) < kWarp) (m > n ? n : m) *= 2;
  // Pairs, lanes, pairs of a lane; parts of K; instructions: a lane's elements lie side by side.
  const int pairs = atom.shape.k / kPairLanes, own = 2 * pairs, run = own * tile.k_run;
  const Tiler along_k = tile.k_run == 1
                            ? Tiler::wildcard()
                            : Tiler(Layout(IntTuple{2, kLanesOfK, pairs, tile.groups_k, tile.k_run},
                                           IntTuple{1, run, 2, kLanesOfK * run, own}));
  return {.atoms = Layout(IntTuple{m, n, tile.groups_k}),
          .permutation = tile.k_run == 1 ? Tiler("(_,_,_)")
                                         : Tiler(std::vector<Tiler>{Tiler::wildcard(),
                                                                    Tiler::wildcard(), along_k}),
          .repeat_m = tile.repeat_m,
          .repeat_n = tile.repeat_n,
          .k_steps = tile.k_steps / tile.k_run,
          .stages = tile.stages};
}

}  // namespace jute::plan

// Launch, one chain of loads after the other, accesses of an SM, and how warps meet, in clocks.
#include "plan/cost/straight_cost.hpp"

#include <jute/plan/derive/operand/line_ends.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "plan/chip/warp.hpp"
#include "plan/choose/staged_cost.hpp"
#include "plan/cost/cost_model.hpp"
#include "plan/derive/drain/draining.hpp"
#include "plan/rules/grid_rules.hpp"
#include "plan/run/parameters.hpp"
#include "plan/shapes/dot_products.hpp"
#include "plan/shapes/lane_tiles.hpp"
#include "plan/shapes/line_tiles.hpp"
#include "plan/shapes/ranked_tiles.hpp"
#include "plan/shapes/shared_tiles.hpp"

namespace jute::plan {
namespace {

// Clocks on the scale of the other kernels' model. From one kernel to the next, and until the first
// fragments have come; later where blocks have much to load beside those of the kernel before, and
// where memory has to send it, not the L2 cache, as it may operands of few bytes; behind the first
// fragments every k-tile is a chain of its own.
constexpr double kStraightLaunch = 1620, kStraightStart = 3080, kStraightLate = 500,
                 kFromMemory = 300, kChain = 300;
constexpr double kStraightCachedBytes = 56 << 10;
constexpr double kFewOfSm = 0.1;  // blocks of an SM that neither makes later
constexpr double kBehind = 200;   // of a start behind the main loop of the kernel before
// Likewise of shared kernels, whose tiles along K are shorter: nothing else is on its way then, and
// groups of threads that have no part of a short K wait for those that have.
constexpr double kSharedChain = 600, kSharedMeet = 500;
constexpr double kStraightIssue = 15, kProduct = 16.5;  // of a warp: a load, an instruction
// Loads of a warp that a block lacks to have as many on each quarter of an SM.
constexpr double kMissing = 0.255;
// Of a warp's load, among those of an SM: from rows along K, from ones along M or N; and how much
// of it is left where but one row of an instruction is there.
constexpr double kAccessAlongK = 6, kAccessAlongMn = 3.6, kLeastAccess = 0.35;
constexpr Index kRowsOfLoad = 8;
// Bytes in a clock, of problems whose elements have more than a word: they wait for memory as well.
constexpr double kMemoryOfLong = 4000;
// Of a block among those of an SM, and of an element of D that it stores: alone, with a neighbour.
constexpr double kStraightBlock = 195, kStraightStored = 0.68, kStoredTogether = 0.16;
// Elements of D that an SM stores one by one without harm, and what all others delay it at most, in
// clocks.
constexpr double kFewSingle = 2600, kMostDelayed = 3000;
// A grid of fewer blocks than these runs sooner, for each halving: one wide block, not two narrow.
constexpr double kStraightFewBlocks = 16, kStraightHalving = 106;
// Until groups that share out K have left their sums, and for each that a thread of the first one
// adds to one of its own but those of its first access, by the blocks of an SM that add at once.
constexpr double kStraightMeet = 80, kStraightAdded = 3, kStraightAtOnce = 4,
                 kStraightMostAdding = 4;
constexpr int kMostParts = 8;       // of K, in a block
constexpr int kFragmentWords = 96;  // registers of a thread for the fragments of a k-tile
// Registers of a thread: its own, and for each word of those, which has an address; its own where
// it adds sums, for each of them and of all parts of K.
constexpr double kStraightOwn = 10, kStraightOfWord = 2, kOwnToAdd = 28, kOfSum = 0.4,
                 kOfPart = 0.33;
constexpr double kMostProducts = 1 << 30;  // nor one of more multiply-adds
constexpr double kTiny = 12000;            // no problem that takes longer is one for these

/// What decides how long a kernel takes.
struct StraightShape {
  int threads, parts_of_k;
  int width;  ///< bytes of an element of A or B
  TileShape tile;
  Index loads;      ///< of a thread for the fragments of a k-tile
  double accesses;  ///< clocks that an SM takes for them
  Index products;   ///< instructions of a warp for a k-tile
  bool stores_together;
  bool is_shared = false;
};

/// Words of an element that is longer than one.
double straight_words(int width) { return std::max(width / 4.0, 1.0); }

/// Clocks of so many loads from rows of an operand, of which the problem has `extent`.
double clocks_of_accesses(Index loads, Major major, Index extent, int width) {
  const double there = static_cast<double>(std::clamp<Index>(extent, 1, kRowsOfLoad)) / kRowsOfLoad;
  return static_cast<double>(loads) * (kLeastAccess + (1 - kLeastAccess) * there) *
         (major == Major::k ? kAccessAlongK : kAccessAlongMn) * straight_words(width);
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
struct Warp {
  int m = 1, n = 1;
};
Warp warp_of(const MmaAtom& atom) {
  Warp warp;
  while (warp.m * warp.n * threads(atom) < 32) (warp.m > warp.n ? warp.n : warp.m) *= 2;
  return warp;
}

StraightShape straight_shape(const MmaAtom& atom, const StraightTile& choice,
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
          .loads = loads_a + loads_b,
          .accesses = clocks_of_accesses(loads_a, problem.a.major, problem.m.value, width) +
                      clocks_of_accesses(loads_b, problem.b.major, problem.n.value, width),
          .products = Index{choice.k_steps} * choice.repeat_m * choice.repeat_n,
          .stores_together = problem.d.access_bytes > width_bytes(problem.d.type),
          .is_shared = choice.is_shared};
}

int warps_of(const StraightShape& shape) { return (shape.threads + 31) / 32; }
/// As many warps evenly spread would ask for loads as long.
double warps_in_quarters(const StraightShape& shape) {
  const int warps = warps_of(shape), missing = (kQuarters - warps % kQuarters) % kQuarters;
  return warps + kMissing * missing;
}

/// Do so many blocks of an SM start as early as one alone? Few do, and those with little to load.
bool starts_early(const StraightShape& shape, double of_sm) {
  struct Light {
    double accesses, of_sm;  ///< at most
  };
  constexpr Light kOneWarp{650, 1}, kWarps{380, 0.75};
  const Light& light = shape.parts_of_k > 1 ? kWarps : kOneWarp;
  const bool is_light = warps_of(shape) * shape.accesses <= light.accesses;
  return of_sm <= (is_light ? light.of_sm : kFewOfSm);
}

/// Of a thread.
double straight_sums(const StraightShape& shape) {
  return static_cast<double>(shape.tile.m) * shape.tile.n * shape.parts_of_k /
         std::max(shape.threads, kWarp);
}
double straight_registers(const StraightShape& shape) {
  const double threads = std::max(shape.threads, kWarp);
  const double words =
      static_cast<double>(shape.tile.m + shape.tile.n) * shape.tile.k * shape.width / 4 / threads;
  const double sums = straight_sums(shape);
  const double to_add =
      shape.parts_of_k > 1 ? kOwnToAdd + (kOfSum + kOfPart * shape.parts_of_k) * sums : 0;
  return std::max(kStraightOwn + kStraightOfWord * words, to_add);
}

/// Clocks of an SM for the loads of a k-tile of all of its blocks.
double clocks_of_loads(const StraightShape& shape, double of_sm) {
  return std::ceil(of_sm) * warps_in_quarters(shape) * shape.accesses;
}

/// Few blocks start early. Where they are more than a handful, none starts before the kernel before
/// does: blocks of many kernels would lie on an SM, and those that are to run next side by side. So
/// do many that load and store little: those beside them do not delay them; or that share nothing
/// but what all of them read.
Release release_of(const StraightShape& shape, Index m, Index n, Index k, Index batch,
                   const DeviceInfo& device) {
  constexpr double kHandful = 10, kMostOfSm = 3, kFewWarps = 5;  // those that are few, of an SM
  constexpr double kLittle = 1800, kElement = 0.8;  // clocks of an SM, of an element of D
  constexpr double kFewLoads = 5000;                // clocks of an SM
  const double blocks = tiles_of(shape.tile, m, n, batch);
  if (blocks <= kHandful) return Release::at_start;
  const double sms = std::max(device.sm_count, 1), of_sm = blocks / sms;
  if (of_sm <= kMostOfSm && of_sm * warps_of(shape) <= kFewWarps) return Release::after_previous;
  const double loads = clocks_of_loads(shape, of_sm);
  const double all_loads = loads * static_cast<double>(ceil_div(k, Index{shape.tile.k}));
  if ((m <= shape.tile.m || n <= shape.tile.n) && all_loads <= kFewLoads)
    return Release::after_previous;
  return loads + kElement * elements_of_d(m, n, batch) / sms <= kLittle ? Release::after_previous
                                                                        : Release::after_main_loop;
}

Prediction predicted_straight(const StraightShape& shape, Index m, Index n, Index k, Index batch,
                              const DeviceInfo& device) {
  const double blocks = tiles_of(shape.tile, m, n, batch);
  const int sms = std::max(device.sm_count, 1);
  const double of_sm = blocks / sms;
  const double bytes = operand_bytes(m, n, k, batch, shape.width);
  Prediction result;
  result.launch = kStraightLaunch;
  result.start =
      kStraightStart + (starts_early(shape, of_sm) ? 0 : kStraightLate) +
      (bytes > kStraightCachedBytes && of_sm > kFewOfSm ? kFromMemory : 0) -
      kStraightHalving * std::log2(std::max(kStraightFewBlocks / blocks, 1.0)) +
      (release_of(shape, m, n, k, batch, device) == Release::after_main_loop ? kBehind : 0);
  result.waves = std::ceil(blocks / (sms * blocks_of_sm(std::max(shape.threads, kWarp),
                                                        straight_registers(shape), device)));
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), shape.tile.k));
  result.products = static_cast<double>(shape.products) * kProduct;
  result.feed = std::max(static_cast<double>(shape.loads) * kStraightIssue,
                         clocks_of_loads(shape, of_sm) / result.waves);
  result.k_block = result.products + result.feed;
  const double chain = shape.is_shared ? kSharedChain : kChain;
  if (shape.parts_of_k > 1)
    result.meet = (shape.is_shared ? kSharedMeet : kStraightMeet) +
                  kStraightAdded * std::min(std::ceil(of_sm), kStraightMostAdding) *
                      (shape.parts_of_k - 1) *
                      std::max(straight_sums(shape) - kStraightAtOnce, 0.0);
  const double stored =
      std::ceil(of_sm) *
      (kStraightBlock + static_cast<double>(shape.tile.m) * shape.tile.n *
                            (shape.stores_together ? kStoredTogether : kStraightStored));
  // The first chain is part of the start.
  result.work = std::max(result.waves * result.k_blocks * (result.k_block + chain) - chain, stored);
  if (!shape.stores_together)
    result.work += std::clamp(elements_of_d(m, n, batch) / sms - kFewSingle, 0.0, kMostDelayed);
  if (straight_words(shape.width) > 1)
    result.least = all_bytes(m, n, k, batch, shape.width) / kMemoryOfLong;
  result.clocks = result.launch + result.start + result.work + result.least + result.meet;
  return result;
}

Prediction predicted_straight(const MmaAtom& atom, const StraightTile& tile,
                              const KernelProblem& problem, const DeviceInfo& device) {
  return predicted_straight(straight_shape(atom, tile, problem), problem.m.value, problem.n.value,
                            problem.k.value, problem.batch.value, device);
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

bool may_be_straight(const KernelProblem& problem) {
  return static_cast<double>(problem.m.value) * static_cast<double>(problem.n.value) *
             static_cast<double>(problem.k.value) * static_cast<double>(problem.batch.value) <=
         kMostProducts;
}

namespace {

struct Ranked {
  double clocks;
  StraightTile tile;
};

/// Those of a list that suit the atom and the problem.
std::vector<StraightTile> ranked_of(std::span<const StraightTile> tiles, const MmaAtom& atom,
                                    const KernelProblem& problem, const DeviceInfo& device) {
  std::vector<Ranked> list;
  for (StraightTile tile : tiles) {
    if (tile.parts_of_k > 1 && problem.accumulate == DType::f16) continue;
    if (straight_shape(atom, tile, problem).threads > limits(device.arch).threads_per_block)
      continue;
    tile.is_shared = true;
    list.push_back({predicted_straight(atom, tile, problem, device).clocks, tile});
  }
  prefer_early(list, kWorthOfStraight);
  std::vector<StraightTile> best;
  for (const Ranked& one : list) best.push_back(one.tile);
  return best;
}

}  // namespace

std::vector<StraightTile> ranked_straight_tiles(const MmaAtom& atom, const KernelProblem& problem,
                                                const DeviceInfo& device, size_t most,
                                                Specialize specialize) {
  if (specialize == Specialize::shared)
    return ranked_of(shared_straight_tiles(), atom, problem, device);
  constexpr std::array<std::pair<int, int>, 5> kRepeats{{{1, 1}, {1, 2}, {2, 2}, {2, 4}, {1, 4}}};
  const bool adds = problem.accumulate != DType::f16;
  std::vector<Ranked> list;
  for (const auto& [repeat_m, repeat_n] : kRepeats)
    for (int parts = 1; parts <= (adds ? kMostParts : 1); ++parts) {
      StraightTile tile{
          .repeat_m = repeat_m, .repeat_n = repeat_n, .parts_of_k = parts, .k_steps = 1};
      const int block = threads(atom) * warp_of(atom).m * warp_of(atom).n * parts;
      if (block > limits(device.arch).threads_per_block) continue;
      if (!complete(tile, atom, problem)) continue;
      list.push_back({predicted_straight(atom, tile, problem, device).clocks, tile});
    }
  std::ranges::stable_sort(list, {}, &Ranked::clocks);
  std::vector<StraightTile> best;
  for (size_t i = 0; i < std::min(most, list.size()); ++i) best.push_back(list[i].tile);
  return best;
}

double straight_clocks(const MmaAtom& atom, const StraightTile& tile, const KernelProblem& problem,
                       const DeviceInfo& device) {
  return predicted_straight(atom, tile, problem, device).clocks;
}

bool is_faster_straight(const MmaAtom& atom, const StraightTile& tile, const KernelProblem& problem,
                        const DeviceInfo& device, BestStaged& staged, Others others) {
  const StraightShape shape = straight_shape(atom, tile, problem);
  if (ceil_div(problem.n.value, shape.tile.n) > kMostBlocksAcross ||
      problem.batch.value > kMostBlocksAcross)
    return false;
  const double clocks = predicted_straight(atom, tile, problem, device).clocks;
  if (clocks > kTiny + copies_clocks(problem, device)) return false;  // far from it
  return clocks < other_clocks(problem, device, staged, others, clocks);
}

namespace {

/// Instructions of a warp for a k-tile.
Index products_of(const GemmStep& step) {
  const ShapeMnk unit = tile_shape(step.mma);
  return Index{step.tile.m / unit.m} * (step.tile.n / unit.n) * (step.tile.k / unit.k);
}

StraightShape straight_shape(const GemmStep& step) {
  const int width = width_bytes(step.a.type);
  const auto loads = [](const OperandPlan& operand) {
    return size(operand.copy_tv[1]) / std::max(operand.vector_elems, 1);
  };
  return {.threads = step.threads,
          .parts_of_k = parts_of_k(step),
          .width = width,
          .tile = step.tile,
          .loads = loads(step.a) + loads(step.b),
          .accesses = clocks_of_accesses(loads(step.a), step.a.major, step.m.value, width) +
                      clocks_of_accesses(loads(step.b), step.b.major, step.n.value, width),
          .products = products_of(step),
          .stores_together = step.epilogue.vector_elems > 1,
          .is_shared = step.schedule.is_shared};
}

/// Dot products, and whole chunks of lines.
bool reads_once(const GemmStep& step) {
  return step.schedule.lanes_of_k != 0 || operand_of_line_ends(step);
}

}  // namespace

Release straight_release(const GemmStep& step, const DeviceInfo& device) {
  if (reads_once(step)) return Release::after_previous;
  return release_of(straight_shape(step), step.m.value, step.n.value, step.k.value,
                    step.batch.value, device);
}

bool straight_asks_ahead(const GemmStep& step) {
  constexpr double kLeastBytes = 24 << 10, kMostBytes = 8 << 20, kMostBehind = 2 << 20;
  if (step.schedule.is_shared) return false;
  if (reads_once(step)) return true;
  const double bytes = operand_bytes(step.m.value, step.n.value, step.k.value, step.batch.value,
                                     width_bytes(step.a.type));
  const bool is_behind = step.schedule.releases == Release::after_main_loop;
  return kLeastBytes <= bytes && bytes <= (is_behind ? kMostBehind : kMostBytes);
}

namespace {

/// Of kernels that read one operand once.
std::optional<Prediction> streamed_prediction(const GemmStep& step, const DeviceInfo& device) {
  std::optional<Prediction> lines = line_prediction(step, device);
  return lines ? lines : dot_prediction(step, device);
}

}  // namespace

std::optional<Prediction> straight_prediction(const GemmStep& step, const DeviceInfo& device) {
  if (!is_straight(step)) return std::nullopt;
  if (std::optional<Prediction> streamed = streamed_prediction(step, device)) return streamed;
  if (step.mma.atom().form == MmaForm::fma) return lane_prediction(step, device);
  return predicted_straight(straight_shape(step), step.m.value, step.n.value, step.k.value,
                            step.batch.value, device);
}

std::optional<KernelCost> streamed_cost(const GemmStep& step, const DeviceInfo& device) {
  const std::optional<Prediction> whole = streamed_prediction(step, device);
  if (!whole || !streams_b(step)) return std::nullopt;
  // Each tile along M streams B once more.
  KernelCost cost;
  cost.grid.tile_rows = step.tile.m;
  cost.grid.tiles_across = cost.grid.clusters_across = 1;
  cost.parts.launch = whole->launch;
  cost.parts.start = whole->start;
  cost.parts.k_blocks = 1;
  cost.parts.k_block = whole->clocks - whole->launch - whole->start;
  return cost;
}

}  // namespace jute::plan

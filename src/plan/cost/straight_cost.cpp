// Loads of an SM and how soon they leave room for another kernel; what words of stored elements
// take.
#include "plan/cost/straight_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/warp.hpp"
#include "plan/cost/fitted.hpp"

namespace jute::plan {
namespace {

constexpr double kRowsOfFragment = 8;
constexpr double kOfBlock = 1024;   // of shared memory, that a block has besides
constexpr double kMostOfRings = 8;  // blocks of an SM

/// Words of an element that is longer than one.
double straight_words(double width) { return std::max(width / 4.0, 1.0); }

/// Clocks of an SM for a warp's loads from rows of an operand, of which so many are there.
double clocks_of_accesses(double loads, double rows, double pitch, double width) {
  return loads * (fitted::kLeastAccess + (1 - fitted::kLeastAccess) * (rows / kRowsOfFragment)) *
         (pitch == 0 ? fitted::kAccessAlongK : fitted::kAccessAlongMn) * straight_words(width);
}
double clocks_of_accesses(const Block& block) {
  return clocks_of_accesses(block.a_loads, block.a_rows, block.a_pitch, block.width) +
         clocks_of_accesses(block.b_loads, block.b_rows, block.b_pitch, block.width);
}

/// Warps of one of the products that a block has side by side.
double warps_of(const Block& block) { return block.warps / block.matrices; }

/// Sums of a thread.
double straight_sums(const Block& block) {
  return block.m * block.n * block.parts * block.matrices / block.threads;
}

/// Products of a tile each, of which a block may have several.
double tiles_of_sm(const Block& block, const Grid& grid, const ChipRates& rates) {
  return grid.tiles * block.matrices / rates.sms;
}

/// Clocks in which caches send the other operand, which every block reads, and memory of what is
/// stored, in clocks of an SM. Bytes of a clock as H200s' copies have them.
double clocks_from_cache(const Block& block, const Grid& grid, double of_sm, double sms) {
  constexpr double kOfClock = 32;
  const bool is_b = grid.m <= grid.n;
  const double kept = is_b ? std::min(grid.m, block.m) : std::min(grid.n, block.n),
               streamed = (is_b ? grid.n : grid.m) * block.stored_bits / 8 / sms;
  return (of_sm * kept * block.width + streamed) * grid.k / kOfClock;
}

/// Memory's, for all of them.
double clocks_of_stored(const Block& block, const Grid& grid, const ChipRates& rates) {
  return std::max(grid.m, grid.n) * grid.k * grid.batch * block.stored_bits / 8 /
         rates.memory_bytes;
}

/// As many warps evenly spread would ask for loads as long.
double warps_in_quarters(const Block& block) {
  const int warps = static_cast<int>(warps_of(block)),
            missing = (kQuarters - warps % kQuarters) % kQuarters;
  return warps + fitted::kMissing * missing;
}

/// Do so many blocks of an SM start as early as one alone? Few do, and those with little to load.
bool starts_early(const Block& block, double of_sm) {
  const fitted::Light& light = block.parts > 1 ? fitted::kLightWarps : fitted::kLightWarp;
  const bool is_light = warps_of(block) * clocks_of_accesses(block) <= light.accesses;
  return of_sm <= (is_light ? light.of_sm : fitted::kFewOfSm);
}

/// Clocks of an SM for the loads of a k-tile of all of its blocks.
double clocks_of_loads(const Block& block, double of_sm) {
  return std::ceil(of_sm) * warps_in_quarters(block) * clocks_of_accesses(block);
}

}  // namespace

// Few blocks start early. Where they are more than a handful, none starts before the kernel before
// does: blocks of many kernels would lie on an SM, and those that are to run next side by side. So
// do many that load and store little: those beside them do not delay them; or that share nothing
// but what all of them read.
Release straight_release(const Block& block, const Grid& grid, const ChipRates& rates) {
  const double of_sm = tiles_of_sm(block, grid, rates);
  if (grid.tiles * block.matrices <= fitted::kHandful) return Release::at_start;
  if (of_sm <= fitted::kMostOfSm && of_sm * warps_of(block) <= fitted::kFewWarps)
    return Release::after_previous;
  const double loads = clocks_of_loads(block, of_sm);
  if ((grid.m <= block.m || grid.n <= block.n) &&
      loads * std::ceil(grid.k / block.k) <= fitted::kFewLoads)
    return Release::after_previous;
  return loads + fitted::kStoredElement * grid.m * grid.n * grid.batch / rates.sms <=
                 fitted::kLittle
             ? Release::after_previous
             : Release::after_main_loop;
}

int stored_blocks(const Block& block, const Grid& grid, const ChipRates& rates) {
  double fitting = rates.registers_of_sm / (block.registers * block.threads / block.matrices);
  if (block.ring > 1) fitting = std::min(fitting, rates.smem_of_sm / (block.smem_bytes + kOfBlock));
  // Beside blocks of stages those of the next kernel begin, which wait for memory as long.
  const double most =
      block.ring > 1 ? kMostOfRings : std::max(std::ceil(tiles_of_sm(block, grid, rates)), 1.0);
  return static_cast<int>(std::clamp(std::floor(fitting), 1.0, most));
}

namespace {

/// Clocks of a turn of blocks of an SM that convert stored elements together, from stages of their
/// threads' own or from registers, for a k-tile: what warps issue, what one waits for itself, and
/// loads of the other operand, whose rows lie apart.
double clocks_of_turn(const Block& block, const Grid& grid, double blocks) {
  const bool is_b = grid.m <= grid.n;
  const double stored = is_b ? block.b_loads : block.a_loads,
               other = is_b ? block.a_loads : block.b_loads,
               rows = (is_b ? block.a_rows : block.b_rows) / kRowsOfFragment;
  const fitted::Turn& of = block.ring > 1 ? fitted::kRing : fitted::kHeld;
  const double issued = block.stored_made + block.instructions + stored * fitted::kTurnLoad +
                        other * fitted::kTurnOther + fitted::kTurn;
  const double of_block = warps_of(block), warps = std::ceil(blocks) * of_block;
  const double loads = other * rows * fitted::kTurnRows;
  // A block's warps ask for theirs together, ahead of what they convert.
  const double all = warps / kQuarters * issued * of.issue,
               alone = issued * fitted::kTurnAlone + of.wait + of_block * loads;
  // Where both are as long, each is in the other's way.
  return std::max(std::sqrt(std::hypot(all * all, alone * alone)), warps * loads);
}

/// Clocks of all blocks of an SM, as many as it has room for after each other; and until those of
/// the next kernel begin, where they have no room beside these.
double clocks_of_turns(const Block& block, const Grid& grid, double of_sm, int resident) {
  const double full = std::floor(of_sm / resident), rest = of_sm - full * resident;
  const double rounds = std::ceil(of_sm / resident);
  const double turns = full * clocks_of_turn(block, grid, resident) +
                       (rest > 0 ? clocks_of_turn(block, grid, rest) : 0);
  const bool has_room = block.ring > 1 && std::ceil(rest) < resident;
  return turns * grid.k_tiles + (rounds - 1) * fitted::kTurnOfRound +
         (has_room ? 0 : fitted::kTurnsEnd);
}

}  // namespace

Prediction stored_clocks(const Block& block, const Grid& grid, const ChipRates& rates) {
  const double of_sm = tiles_of_sm(block, grid, rates);
  const int resident = stored_blocks(block, grid, rates);
  const bool is_behind = straight_release(block, grid, rates) == Release::after_main_loop;
  Prediction result;
  result.launch = fitted::kStraightLaunch;
  result.start = fitted::kStraightStart + (starts_early(block, of_sm) ? 0 : fitted::kStraightLate) +
                 (is_behind ? fitted::kBehind : 0);
  result.waves = std::ceil(of_sm / resident);
  result.k_blocks = grid.k_tiles;
  result.products = clocks_of_turn(block, grid, std::min<double>(of_sm, resident));
  result.feed = clocks_of_loads(block, of_sm) / result.waves;
  result.k_block = std::max(result.products, result.feed);
  if (block.parts > 1)
    result.reduction =
        fitted::kStraightReduction +
        fitted::kStraightAdded * std::min(std::ceil(of_sm), fitted::kStraightMostAdding) *
            (block.parts - 1) * std::max(straight_sums(block) - fitted::kStraightAtOnce, 0.0);
  result.work = std::max(
      {result.feed * result.waves * result.k_blocks, clocks_of_turns(block, grid, of_sm, resident),
       clocks_of_stored(block, grid, rates), clocks_from_cache(block, grid, of_sm, rates.sms)});
  if (block.matrices > 1) {
    const double of_k = grid.k * grid.batch, of_d = grid.m * grid.n * grid.batch;
    result.work =
        std::max(result.work, ((grid.m + grid.n) * of_k + of_d) * block.width / rates.memory_bytes);
  }
  result.clocks = result.launch + result.start + result.work + result.reduction;
  return result;
}

}  // namespace jute::plan

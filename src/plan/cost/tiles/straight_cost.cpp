// Loads of an SM, registers of a thread, and how soon both leave room for another kernel; what
// words of stored elements take.
#include "plan/cost/tiles/straight_cost.hpp"

#include <algorithm>
#include <cmath>

#include "plan/chip/chip_rates.hpp"
#include "plan/chip/warp.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/values/tile_counts.hpp"

namespace jute::plan {
namespace {

constexpr Index kRowsOfLoad = 8;
constexpr Index kOfBlock = 1024;    // of shared memory, that a block has besides
constexpr double kMostOfRings = 8;  // blocks of an SM

/// Words of an element that is longer than one.
double straight_words(int width) { return std::max(width / 4.0, 1.0); }

/// Clocks of an SM for a warp's loads from rows of an operand, of which the problem has so many.
double clocks_of_accesses(const StraightLoads& operand, int width) {
  const double there =
      static_cast<double>(std::clamp<Index>(operand.extent, 1, kRowsOfLoad)) / kRowsOfLoad;
  return static_cast<double>(operand.loads) *
         (fitted::kLeastAccess + (1 - fitted::kLeastAccess) * there) *
         (operand.major == Major::k ? fitted::kAccessAlongK : fitted::kAccessAlongMn) *
         straight_words(width);
}
double clocks_of_accesses(const StraightWork& work) {
  return clocks_of_accesses(work.a, work.width) + clocks_of_accesses(work.b, work.width);
}

int warps_of(const StraightWork& work) { return (work.threads + kWarp - 1) / kWarp; }

/// Of a thread.
double straight_sums(const StraightWork& work) {
  return static_cast<double>(work.tile.m) * work.tile.n * work.parts_of_k /
         std::max(work.threads, kWarp);
}

/// Registers of a thread that has a k-tile of stored elements and asks for the next: both, but for
/// what stages have, a share of what they become, the other operand's, and sums. A little below
/// what compilers take.
double stored_registers(const StraightWork& work, bool is_b) {
  const double of_line = static_cast<double>(work.tile.k) / std::max(work.threads, kWarp);
  const double stored = of_line * (is_b ? work.tile.n : work.tile.m),
               other = of_line * (is_b ? work.tile.m : work.tile.n);
  const double words = work.width * 8 / fitted::kWordBits;
  const double tiles = work.stages > 1 ? 1 : fitted::kStoredTiles;
  return fitted::kStoredOwn + other * words +
         stored * (tiles * work.stored.bits / fitted::kWordBits + fitted::kStoredShare * words) +
         straight_sums(work);
}

/// What caches send of the other operand, which every block reads, and memory of what is stored, in
/// clocks of an SM. Bytes of a clock as H200s' copies have them.
double clocks_from_cache(const StraightWork& work, Index m, Index n, Index k, double of_sm,
                         double sms) {
  constexpr double kOfClock = 32;
  const bool is_b = m <= n;
  const double kept = static_cast<double>(is_b ? std::min<Index>(m, work.tile.m)
                                               : std::min<Index>(n, work.tile.n)),
               streamed = static_cast<double>(is_b ? n : m) * work.stored.bits / 8 / sms;
  return (of_sm * kept * work.width + streamed) * static_cast<double>(k) / kOfClock;
}

/// Memory's, for all of them.
double clocks_of_stored(const StraightWork& work, Index lines, Index k, Index batch,
                        const DeviceInfo& device) {
  return static_cast<double>(lines) * static_cast<double>(k) * static_cast<double>(batch) *
         work.stored.bits / 8 / memory_rate(device);
}

/// As many warps evenly spread would ask for loads as long.
double warps_in_quarters(const StraightWork& work) {
  const int warps = warps_of(work), missing = (kQuarters - warps % kQuarters) % kQuarters;
  return warps + fitted::kMissing * missing;
}

/// Do so many blocks of an SM start as early as one alone? Few do, and those with little to load.
bool starts_early(const StraightWork& work, double of_sm) {
  const fitted::Light& light = work.parts_of_k > 1 ? fitted::kLightWarps : fitted::kLightWarp;
  const bool is_light = warps_of(work) * clocks_of_accesses(work) <= light.accesses;
  return of_sm <= (is_light ? light.of_sm : fitted::kFewOfSm);
}

/// Products of a batch that a block has side by side.
int co_resident_of(const StraightWork& work, Index m, Index n, Index batch,
                   const DeviceInfo& device) {
  if (work.parts_of_k > 1 || work.is_generic) return 1;
  return std::max(matrices_of_block(std::max(work.threads, kWarp), work.tile, m, n, batch, device),
                  1);
}

/// Clocks of an SM for the loads of a k-tile of all of its blocks.
double clocks_of_loads(const StraightWork& work, double of_sm) {
  return std::ceil(of_sm) * warps_in_quarters(work) * clocks_of_accesses(work);
}

}  // namespace

double straight_registers(const StraightWork& work) {
  const double threads = std::max(work.threads, kWarp);
  const double words =
      static_cast<double>(work.tile.m + work.tile.n) * work.tile.k * work.width / 4 / threads;
  const double sums = straight_sums(work);
  const double to_add =
      work.parts_of_k > 1
          ? fitted::kOwnToAdd + (fitted::kOfSum + fitted::kOfPart * work.parts_of_k) * sums
          : 0;
  return std::max(fitted::kStraightOwn + fitted::kStraightOfWord * words, to_add);
}

// Few blocks start early. Where they are more than a handful, none starts before the kernel before
// does: blocks of many kernels would lie on an SM, and those that are to run next side by side. So
// do many that load and store little: those beside them do not delay them; or that share nothing
// but what all of them read.
Release straight_release(const StraightWork& work, Index m, Index n, Index k, Index batch,
                         const DeviceInfo& device) {
  const double blocks = tiles_of(work.tile, m, n, batch);
  if (blocks <= fitted::kHandful) return Release::at_start;
  const double sms = std::max(device.sm_count, 1), of_sm = blocks / sms;
  if (of_sm <= fitted::kMostOfSm && of_sm * warps_of(work) <= fitted::kFewWarps)
    return Release::after_previous;
  const double loads = clocks_of_loads(work, of_sm);
  const double all_loads = loads * static_cast<double>(ceil_div(k, Index{work.tile.k}));
  if ((m <= work.tile.m || n <= work.tile.n) && all_loads <= fitted::kFewLoads)
    return Release::after_previous;
  return loads + fitted::kStoredElement * elements_of_d(m, n, batch) / sms <= fitted::kLittle
             ? Release::after_previous
             : Release::after_main_loop;
}

int stored_blocks(const StraightWork& work, Index m, Index n, Index batch,
                  const DeviceInfo& device) {
  const double of_sm = std::ceil(tiles_of(work.tile, m, n, batch) / std::max(device.sm_count, 1));
  double fitting =
      device.registers_per_sm / (stored_registers(work, m <= n) * std::max(work.threads, kWarp));
  if (work.stages > 1)
    fitting = std::min(fitting, static_cast<double>(device.smem_bytes_per_sm) /
                                    static_cast<double>(ring_bytes(work, m <= n) + kOfBlock));
  // Beside blocks of stages those of the next kernel begin, which wait for memory as long.
  const double most = work.stages > 1 ? kMostOfRings : std::max(of_sm, 1.0);
  return static_cast<int>(std::clamp(std::floor(fitting), 1.0, most));
}

namespace {

/// Of blocks of an SM that convert stored elements together, from stages of their threads' own or
/// from registers, for a k-tile: what warps issue, what one waits for itself, and loads of the
/// other operand, whose rows lie apart.
double clocks_of_turn(const StraightWork& work, Index m, Index n, double blocks) {
  const StraightLoads &stored = m <= n ? work.b : work.a, &other = m <= n ? work.a : work.b;
  const fitted::Turn& of = work.stages > 1 ? fitted::kRing : fitted::kHeld;
  const double issued = work.stored.instructions + static_cast<double>(work.products) +
                        static_cast<double>(stored.loads) * fitted::kTurnLoad +
                        static_cast<double>(other.loads) * fitted::kTurnOther + fitted::kTurn;
  const double of_block = warps_of(work), warps = std::ceil(blocks) * of_block;
  const double rows =
      static_cast<double>(std::clamp<Index>(other.extent, 1, kRowsOfLoad)) / kRowsOfLoad;
  const double loads = static_cast<double>(other.loads) * rows * fitted::kTurnRows;
  // A block's warps ask for theirs together, ahead of what they convert.
  const double all = warps / kQuarters * issued * of.issue,
               alone = issued * fitted::kTurnAlone + of.wait + of_block * loads;
  // Where both are as long, each is in the other's way.
  return std::max(std::sqrt(std::hypot(all * all, alone * alone)), warps * loads);
}

/// Of all blocks of an SM, as many as it has room for after each other; and until those of the next
/// kernel begin, where they have no room beside these.
double clocks_of_turns(const StraightWork& work, Index m, Index n, Index k, double of_sm,
                       int resident) {
  const double full = std::floor(of_sm / resident), rest = of_sm - full * resident;
  const double rounds = std::ceil(of_sm / resident);
  const double turns = full * clocks_of_turn(work, m, n, resident) +
                       (rest > 0 ? clocks_of_turn(work, m, n, rest) : 0);
  const bool has_room = work.stages > 1 && std::ceil(rest) < resident;
  return turns * static_cast<double>(ceil_div(std::max<Index>(k, 1), Index{work.tile.k})) +
         (rounds - 1) * fitted::kTurnOfRound + (has_room ? 0 : fitted::kTurnsEnd);
}

}  // namespace

Prediction stored_prediction(const StraightWork& work, Index m, Index n, Index k, Index batch,
                             const DeviceInfo& device) {
  const double blocks = tiles_of(work.tile, m, n, batch);
  const int sms = std::max(device.sm_count, 1);
  const double of_sm = blocks / sms;
  const int co_resident = co_resident_of(work, m, n, batch, device);
  const int resident = stored_blocks(work, m, n, batch, device);
  Prediction result;
  result.launch = fitted::kStraightLaunch;
  result.start =
      fitted::kStraightStart + (starts_early(work, of_sm) ? 0 : fitted::kStraightLate) +
      (straight_release(work, m, n, k, batch, device) == Release::after_main_loop ? fitted::kBehind
                                                                                  : 0);
  result.waves = std::ceil(of_sm / resident);
  result.k_blocks = static_cast<double>(ceil_div(std::max<Index>(k, 1), work.tile.k));
  result.products = clocks_of_turn(work, m, n, std::min<double>(of_sm, resident));
  result.feed = clocks_of_loads(work, of_sm) / result.waves;
  result.k_block = std::max(result.products, result.feed);
  if (work.parts_of_k > 1)
    result.reduction =
        fitted::kStraightReduction +
        fitted::kStraightAdded * std::min(std::ceil(of_sm), fitted::kStraightMostAdding) *
            (work.parts_of_k - 1) * std::max(straight_sums(work) - fitted::kStraightAtOnce, 0.0);
  result.work = std::max({result.feed * result.waves * result.k_blocks,
                          clocks_of_turns(work, m, n, k, of_sm, resident),
                          clocks_of_stored(work, std::max(m, n), k, batch, device),
                          clocks_from_cache(work, m, n, k, of_sm, sms)});
  if (co_resident > 1)
    result.work =
        std::max(result.work, all_bytes(m, n, k, batch, work.width) / memory_rate(device));
  result.clocks = result.launch + result.start + result.work + result.reduction;
  return result;
}

}  // namespace jute::plan

// Early starts by what they were measured to save and to cost on an H200.
#include "plan/cost/release.hpp"

#include <algorithm>
#include <cmath>

#include "plan/cost/feed_cost.hpp"
#include "plan/cost/fitted.hpp"

namespace jute::plan {
namespace {

/// Part of all tiles in a row that the last one is, if it is much shorter than they.
double short_part(const OperandRows& operand) {
  const double tiles = std::max(operand.tiles, 1.0);
  const double last = operand.extent - (tiles - 1) * operand.tile;
  return last < fitted::kShortTile * operand.tile ? 1 / tiles : 0;
}

bool end_in_order(const Block& block, const Grid& grid, const Cut& cut,
                  const BothOperands& operands) {
  if (!has_whole_lines(block) || k_blocks(block, grid, cut) > fitted::kFewKBlocks) return false;
  return short_part(operands.rows) + short_part(operands.others) <= fitted::kFewShort;
}

}  // namespace

bool begins_early(const Block& block, const Grid& grid, const Cut& cut,
                  const BothOperands& operands, const Rounds& rounds, double clocks) {
  if (co_resident(block) > 1) return true;  // room is free as soon as one of an SM's has ended
  if (clocks >= fitted::kSoon) return false;
  const auto& [rows, others] = operands;
  const double tiles = std::max(rows.tiles, 1.0), blocks = tiles * others.tiles * grid.batch;
  // Slices wait for each other, and blocks that walk lose their order soon.
  if (cut.split_k > 1 || blocks > rounds.together) return true;
  if (blocks_of_cluster(block) > 1) return false;
  const double shared =
      grid.batch * (rows.bytes() * (others.tiles - 1) + others.bytes() * (tiles - 1));
  return has_co_resident_room(blocks, rounds.together, false) || shared <= fitted::kSharedBytes ||
         end_in_order(block, grid, cut, operands);
}

double clocks_without_room(const Block& block, const Grid& grid, const Cut& cut,
                           const Rounds& rounds) {
  if (co_resident(block) > 1 || rounds.waves > 1) return 0;  // blocks that walk end one by one
  if (has_co_resident_room(rounds.blocks, rounds.together, block.half_stages > 0)) return 0;
  const bool is_apart = are_kept_apart(rounds.blocks, rounds.together);
  return fitted::kLateOfKBlock * std::clamp(k_blocks(block, grid, cut) - fitted::kWaitedFor, 0.0,
                                            fitted::kMostKBlocks) +
         (is_apart || cut.split_k > 1 ? 0 : fitted::kLate);
}

double clocks_of_late_start(double clocks) {
  return std::clamp(fitted::kSoon - clocks, 0.0, fitted::kLate);
}

Release release_for(double blocks, const DeviceInfo& device) {
  return blocks <= device.sm_count ? Release::at_start : Release::after_main_loop;
}

bool are_kept_apart(double blocks, double sms) {
  return blocks > fitted::kNearlyAll * sms && blocks <= sms;
}

bool has_co_resident_room(double blocks, double sms, bool leaves_half) {
  return 2 * blocks <= sms || (leaves_half && blocks <= fitted::kNearlyAll * sms);
}

}  // namespace jute::plan

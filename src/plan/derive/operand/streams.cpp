// Which operands stream, by the tiles that read them.
#include "plan/derive/operand/streams.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/values/tile_width.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "plan/ask/wish_rules.hpp"

namespace jute::plan {
namespace {

/// Do neighbouring blocks have neighbouring tiles along N, or along M?
bool are_neighbours(const KernelSchedule& schedule, Operand other) {
  return schedule.split_k == 1 && !walks(schedule) && !lies_in_groups(schedule) &&
         lies_along_n(schedule) == (other == Operand::b);
}

double streamed_bytes(const OperandPlan& operand, Index extent, const GemmStep& step) {
  return static_cast<double>(extent) * static_cast<double>(step.k.value) *
         width_bytes(operand.type);
}
bool is_large(double bytes, const DeviceInfo& device) {
  constexpr Index kPartOfCache = 4;
  return bytes >= static_cast<double>(device.l2_bytes / kPartOfCache);
}

/// Lines that leave the cache first leave all others where they are, and dirty ones unwritten. A
/// stream of many times the cache's size does better to turn those out.
bool is_beyond_hints(double bytes, const DeviceInfo& device) {
  constexpr double kMostFills = 4;  // measured on an H200: 240 MB lose nothing, 346 MB a tenth
  return bytes > kMostFills * static_cast<double>(device.l2_bytes);
}

/// Do neighbouring rows along K lie a power of two apart that names the same banks again?
bool lies_in_few_banks(const OperandPlan& operand) {
  constexpr Index kLeastStride = 8192;  // bytes
  const Index stride = operand.ld.value * width_bytes(operand.type);
  return operand.major == Major::k && stride >= kLeastStride &&
         std::has_single_bit(static_cast<std::uint64_t>(stride));
}

/// Do all blocks read the same rows, few beside those that each reads alone?
bool shares_few(Index rows, int tile, int own) {
  return rows <= std::min<Index>(tile, most_shared_rows(own));
}

}  // namespace

void choose_hints(GemmStep& step, const DeviceInfo& device, const Config& config) {
  const bool is_for_many = step.schedule.is_generic || has_widths(step);
  if (is_for_many && !config.read_once) return;
  const Index very_large = device.l2_bytes / 2;
  const auto is_asked = [&](bool is_problems_a) {
    return *config.read_once == ReadOnce::both ||
           *config.read_once == (is_problems_a ? ReadOnce::a : ReadOnce::b);
  };
  const auto choose = [&](OperandPlan& operand, Index extent, Index other_tiles, Operand other,
                          int sharing) {
    const double bytes = streamed_bytes(operand, extent, step);
    const bool is_problems_a = step.transposed == (other == Operand::a);
    const bool is_once =
        !is_beyond_hints(bytes, device) &&
        (((other_tiles <= 1 || (other_tiles == 2 && are_neighbours(step.schedule, other))) &&
          is_large(bytes, device)) ||
         (step.schedule.reduction == SplitK::all_add && bytes >= static_cast<double>(very_large)));
    if (sharing == 1 && transfer_of(operand) == Transfer::tma &&
        (config.read_once ? is_asked(is_problems_a) : is_once))
      its_tma(operand).hint = CacheHint::evict_first;
  };
  const ClusterShape& cluster = step.schedule.cluster;
  choose(step.a, step.m.value, ceil_div(step.n.value, Index{step.tile.n}), Operand::b, cluster.n);
  choose(step.b, step.n.value, ceil_div(step.m.value, Index{step.tile.m}), Operand::a, cluster.m);
}

int k_starts(const GemmStep& step, const DeviceInfo& device) {
  constexpr int kStarts = 8;
  const KernelSchedule& schedule = step.schedule;
  if (schedule.is_generic || blocks(schedule.cluster) > 1 || step.a.scales || step.b.scales)
    return 1;
  const auto streams = [&](const OperandPlan& operand, Index extent) {
    return is_large(streamed_bytes(operand, extent, step), device) && lies_in_few_banks(operand);
  };
  // Kernels for tiles of any width ask for the other extent when they run.
  const bool gains_by_a = has_widths(step) || shares_few(step.n.value, step.tile.n, step.tile.m);
  const bool gains_by_b = !has_widths(step) && shares_few(step.m.value, step.tile.m, step.tile.n);
  return (gains_by_a && streams(step.a, step.m.value)) ||
                 (gains_by_b && streams(step.b, step.n.value))
             ? kStarts
             : 1;
}

Errors k_start_rules(const GemmStep& step) {
  const KernelSchedule& schedule = step.schedule;
  if (Errors miscounted = k_starts_are_counted(schedule.k_starts); !miscounted.empty())
    return miscounted;
  if (schedule.k_starts == 1 || (schedule.main_loop == MainLoop::warp_specialised &&
                                 blocks(schedule.cluster) == 1 && !says_cluster(schedule)))
    return {};
  return {broken("k_starts", std::to_string(schedule.k_starts),
                 "blocks that begin at other places of K than their neighbours must have a "
                 "producer, and share no loads in clusters",
                 "1")};
}

}  // namespace jute::plan

// Order among the groups of a warp.
#include "emulator/run/lane_groups.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

bool is_parked(const LaneGroup& group) {
  return group.wait == Wait::barrier || group.wait == Wait::cluster;
}
bool goes_before(const LaneGroup& a, const LaneGroup& b) {
  if (a.rests != b.rests) return b.rests;
  if (a.fatigue != b.fatigue) return a.fatigue < b.fatigue;
  if (a.returns.size() != b.returns.size()) return a.returns.size() > b.returns.size();
  return a.pc < b.pc;
}

}  // namespace

void merge_groups(std::vector<LaneGroup>& groups) {
  for (size_t i = 0; i + 1 < groups.size(); ++i) {
    for (size_t j = i + 1; j < groups.size();) {
      LaneGroup& a = groups[i];
      const LaneGroup& b = groups[j];
      const bool joins = a.pc == b.pc && !is_parked(a) && !is_parked(b) && a.returns == b.returns;
      if (!joins) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.wait = Wait::none;
      a.fatigue = std::min(a.fatigue, b.fatigue);
      a.rests &= b.rests;
      if (!(a.poll == b.poll)) a.poll = {};
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

int pick_group(std::vector<LaneGroup>& groups) {
  int best = -1;
  bool others_could_run = false;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].wait != Wait::none) {
      others_could_run |= is_parked(groups[i]);
      continue;
    }
    if (best < 0 || goes_before(groups[i], groups[static_cast<size_t>(best)]))
      best = static_cast<int>(i);
  }
  if (best >= 0 || others_could_run) return best;
  // All wait for each other at different places: nobody will come.
  for (size_t i = 0; i < groups.size(); ++i)
    if (best < 0 || groups[i].pc < groups[static_cast<size_t>(best)].pc) best = static_cast<int>(i);
  if (best >= 0) {
    groups[static_cast<size_t>(best)].wait = Wait::none;
    groups[static_cast<size_t>(best)].forced = true;
  }
  return best;
}

bool all_rest(const std::vector<LaneGroup>& groups) {
  return std::ranges::all_of(
      groups, [](const LaneGroup& group) { return group.rests || group.wait != Wait::none; });
}

std::uint32_t next_join(const std::vector<LaneGroup>& groups, size_t index) {
  std::uint32_t stop = kNoStop;
  for (size_t i = 0; i < groups.size(); ++i) {
    const LaneGroup& other = groups[i];
    if (i != index && !is_parked(other) && other.pc > groups[index].pc)
      stop = std::min(stop, other.pc);
  }
  return stop;
}

}  // namespace jute::emulator

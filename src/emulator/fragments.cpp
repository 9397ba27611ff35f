// Order among the fragments of a warp.
#include "emulator/fragments.hpp"

#include <algorithm>

namespace jute::emulator {
namespace {

bool is_parked(const Fragment& fragment) {
  return fragment.wait == Wait::barrier || fragment.wait == Wait::cluster;
}
bool goes_before(const Fragment& a, const Fragment& b) {
  if (a.fatigue != b.fatigue) return a.fatigue < b.fatigue;
  if (a.returns.size() != b.returns.size()) return a.returns.size() > b.returns.size();
  return a.pc < b.pc;
}

}  // namespace

void merge_fragments(std::vector<Fragment>& fragments) {
  for (size_t i = 0; i + 1 < fragments.size(); ++i) {
    for (size_t j = i + 1; j < fragments.size();) {
      Fragment& a = fragments[i];
      const Fragment& b = fragments[j];
      const bool joins = a.pc == b.pc && !is_parked(a) && !is_parked(b) && a.returns == b.returns;
      if (!joins) {
        ++j;
        continue;
      }
      a.mask |= b.mask;
      a.wait = Wait::none;
      a.fatigue = std::min(a.fatigue, b.fatigue);
      fragments.erase(fragments.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

int pick_fragment(std::vector<Fragment>& fragments) {
  int best = -1;
  bool others_could_run = false;
  for (size_t i = 0; i < fragments.size(); ++i) {
    if (fragments[i].wait != Wait::none) {
      others_could_run |= is_parked(fragments[i]);
      continue;
    }
    if (best < 0 || goes_before(fragments[i], fragments[static_cast<size_t>(best)]))
      best = static_cast<int>(i);
  }
  if (best >= 0 || others_could_run) return best;
  // All wait for each other at different places: nobody will come.
  for (size_t i = 0; i < fragments.size(); ++i)
    if (best < 0 || fragments[i].pc < fragments[static_cast<size_t>(best)].pc)
      best = static_cast<int>(i);
  if (best >= 0) {
    fragments[static_cast<size_t>(best)].wait = Wait::none;
    fragments[static_cast<size_t>(best)].forced = true;
  }
  return best;
}

std::uint32_t next_join(const std::vector<Fragment>& fragments, size_t index) {
  std::uint32_t stop = kNoStop;
  for (size_t i = 0; i < fragments.size(); ++i) {
    const Fragment& other = fragments[i];
    if (i != index && !is_parked(other) && other.pc > fragments[index].pc)
      stop = std::min(stop, other.pc);
  }
  return stop;
}

}  // namespace jute::emulator

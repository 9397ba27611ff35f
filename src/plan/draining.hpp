#pragma once
// Who holds sums of all of K, and brings them to D.
#include <jute/plan/fragment.hpp>

namespace jute::plan {

[[nodiscard]] inline bool is_straight(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::straight;
}

/// Groups of threads that share out K: each has a part of it.
[[nodiscard]] int parts_of_k(const GemmStep& step);
/// Threads of the first of them, which adds what the others found.
[[nodiscard]] int draining_threads(const GemmStep& step);
/// What they hold of D.
[[nodiscard]] Fragment drained(const GemmStep& step);

}  // namespace jute::plan

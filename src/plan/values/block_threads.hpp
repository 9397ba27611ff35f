#pragma once
// Which of a block's threads do what: those that share out K, and those of them that drain.
#include <jute/plan/values/plan.hpp>

namespace jute::plan {

[[nodiscard]] inline bool is_straight(const GemmStep& step) {
  return step.schedule.main_loop == MainLoop::straight;
}

/// Do all of a block's threads bring operands to shared memory?
[[nodiscard]] inline bool is_copied_by_threads(MainLoop main_loop) {
  return main_loop == MainLoop::multistage || main_loop == MainLoop::register_staged;
}

/// Is a sum of several sums within the bound of one, and does a thread's multiply-add form it? Of
/// 16 bits neither.
[[nodiscard]] inline bool adds_as_one(DType accumulate) {
  return accumulate == DType::f32 || accumulate == DType::f64 || accumulate == DType::s32;
}

/// Threads that share out K have parts of it: lanes of a warp, and groups of whole warps.
[[nodiscard]] int parts_of_k(const GemmStep& step);
[[nodiscard]] int groups_of_k(const GemmStep& step);
/// Bits of a lane's number: lanes that differ in these alone are parts of K.
[[nodiscard]] int lanes_of_k(const GemmStep& step);
/// The atoms along K that are lanes of a warp, as they are numbered.
[[nodiscard]] Layout lanes_along_k(const GemmStep& step);
/// Threads of the first group, which adds what the others found.
[[nodiscard]] int draining_threads(const GemmStep& step);
/// A fragment of D of all threads -> of those: lanes that share out K all hold the same.
[[nodiscard]] Layout drained(const GemmStep& step, const Layout& tv);

/// Groups of threads of a team that multiply and drain on their own: those of one instruction, or
/// warps.
[[nodiscard]] int consumer_groups(const GemmStep& step);

}  // namespace jute::plan

#pragma once
// How many random cases a test draws.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace jute::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kIsInstrumented = true;
#else
inline constexpr bool kIsInstrumented = false;
#endif

/// tools/test --soak sets it.
[[nodiscard]] inline bool all_are_drawn() { return std::getenv("JUTE_ALL_DRAWS") != nullptr; }

/// Where a long test's draws begin; JUTE_TEST_SEED says others.
[[nodiscard]] inline std::uint64_t first_seed(std::uint64_t usual) {
  const char* const said = std::getenv("JUTE_TEST_SEED");
  return said == nullptr ? usual : std::stoull(said);
}

/// Half of them, each a kernel that is compiled; a sixth where code is instrumented, since a run
/// takes three times as long there and other draws of a kind come by the same memory.
[[nodiscard]] inline int draws(int all) {
  constexpr int kShare = kIsInstrumented ? 6 : 2;
  return all_are_drawn() ? all : (all + kShare - 1) / kShare;
}

/// Is this row of a table run, each of them a kernel? All are; where code is instrumented, a sixth.
[[nodiscard]] inline bool is_run(std::size_t row) {
  constexpr std::size_t kShare = kIsInstrumented ? 6 : 1;
  return all_are_drawn() || row % kShare == 0;
}

}  // namespace jute::test

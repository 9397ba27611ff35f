#pragma once
// How many random cases a test draws.
#include <cstdlib>

namespace jute::test {

/// Half of them, each a kernel that is compiled; a sixth under AddressSanitizer, where a run takes
/// three times as long and other draws of a kind come by the same memory. With JUTE_ALL_DRAWS all:
/// tools/test --soak sets it.
[[nodiscard]] inline int draws(int all) {
#ifdef __SANITIZE_ADDRESS__
  constexpr int kShare = 6;
#else
  constexpr int kShare = 2;
#endif
  return std::getenv("JUTE_ALL_DRAWS") != nullptr ? all : (all + kShare - 1) / kShare;
}

}  // namespace jute::test

#pragma once
// How many random cases a test draws: fewer where sanitizers watch.
#include <cstdlib>

namespace jute::test {

/// All of them; a third under AddressSanitizer, where each takes three times as long and other
/// draws of a kind come by the same memory. With JUTE_ALL_DRAWS all there too: tools/test --soak
/// sets it.
[[nodiscard]] inline int draws(int all) {
#ifdef __SANITIZE_ADDRESS__
  constexpr int kShare = 3;
  if (std::getenv("JUTE_ALL_DRAWS") == nullptr) return (all + kShare - 1) / kShare;
#endif
  return all;
}

}  // namespace jute::test

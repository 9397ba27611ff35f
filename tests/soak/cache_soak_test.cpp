#include "support/cache_crash.hpp"

TEST_CASE("200 rounds of killed processes leave no wrong and no half kernel",
          "[soak][cache][crash]") {
  for (unsigned seed = 1; seed <= 200; ++seed)
    jute::test::run_crash_round({.processes = 8, .threads = 64, .seed = seed});
}

// More random configs than a quick test run has time for.
#include "support/catch.hpp"
#include "support/config_property.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("10,000 random configs are refused by a rule, or exact and silent on the emulator",
          "[soak][gemm][config]") {
  constexpr int kCases = 10'000, kTogether = 500;
  for (int first = 0; first < kCases; first += kTogether) {
    const ConfigOutcome outcome = run_random_configs(first, kTogether);
    for (const std::string& failure : outcome.failures) UNSCOPED_INFO(failure);
    CHECK(outcome.failures.empty());
  }
}

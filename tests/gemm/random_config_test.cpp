// Whatever a caller chooses: right results, or a refusal.
#include "support/catch.hpp"
#include "support/config_property.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("150 random configs are refused by a rule, or exact and silent on the emulator",
          "[gemm][random][config]") {
  const ConfigOutcome outcome = run_random_configs(0, 150);
  for (const std::string& failure : outcome.failures) UNSCOPED_INFO(failure);
  CHECK(outcome.failures.empty());
  UNSCOPED_INFO(outcome.ran << " ran, " << outcome.refused << " were refused");
  CHECK(outcome.ran > 30);
  CHECK(outcome.refused > 40);
}

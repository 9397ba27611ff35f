// Kernels of a producer and consumers under more orders of time than a quick test run has time for.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/specialised_cases.hpp"
#include "support/word_subtiles.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("warp-specialised kernels of all kinds are right under ten random schedules",
          "[soak][gemm][specialised]") {
  for (std::uint64_t seed = 2; seed <= 11; ++seed) {
    Context context = context_of(Schedule::random, seed);
    for (const SpecialisedRow& row : kSpecialised) {
      const GemmCase gemm_case = case_of(row, static_cast<unsigned>(seed));
      const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
      INFO(row.config << ", seed " << seed << "\n" << describe(gemm_case, outcome));
      CHECK(outcome.failures.empty());
    }
  }
}

TEST_CASE("large outputs of 32 bits leave by subtiles", "[soak][gemm][specialised]") {
  Context context = context_of(Schedule::random, 1);
  CHECK(word_subtile_failures(context) == "");
}

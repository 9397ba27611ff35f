// Problems of groups through the emulator: what is computed, what stays, and what a wrong list
// does.
#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/grouped_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("products of random groups come out right and touch nothing else", "[gemm][groups]") {
  constexpr int kCasesOfType = 20;
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), without_disk_cache());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < kCasesOfType; ++index) {
      const GemmCase one = grouped_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

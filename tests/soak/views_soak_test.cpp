// Many more Views than every change is held against.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/viewed_cases.hpp"

#include <jute/emulator/emulator.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("10,000 products of random Views come out right", "[soak][gemm][view]") {
  constexpr int kCases = 10000, kOfType = kCases / static_cast<int>(kTypeFamilies.size()) + 1;
  for (const TypeFamily& family : kTypeFamilies)
    for (int first = 0; first < kOfType; first += 100) {
      Context context(open_emulator(), with_kept_kernels());
      for (int index = first; index < std::min(first + 100, kOfType); ++index) {
        const GemmCase one = viewed_case(family.types, 1000 + index);
        const std::string failure = describe(one, run_case(context, one, make_data(one)));
        INFO(family.name << "\n" << failure);
        REQUIRE(failure.empty());
      }
    }
}

TEST_CASE("1,000 runs that say the numbers of their Views come out right", "[soak][gemm][view]") {
  constexpr int kCases = 1000, kOfType = kCases / static_cast<int>(kTypeFamilies.size()) + 1;
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    for (int index = 0; index < kOfType; ++index) {
      const GemmCase one = run_time_view_case(family.types, 1000 + index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      INFO(family.name << "\n" << failure);
      REQUIRE(failure.empty());
    }
  }
}

// 1,500 random problems whose rows tables name, through the emulator.
#include <jute/emulator/emulator.hpp>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/row_table_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("1,500 products of random tables of rows come out right", "[soak][gemm][rows]") {
  constexpr int kCases = 1500, kOfType = kCases / static_cast<int>(kTypeFamilies.size()) + 1;
  for (const TypeFamily& family : kTypeFamilies)
    for (int index = 0; index < kOfType; ++index) {
      Context context(open_emulator(), with_kept_kernels());
      const GemmCase one = row_table_case(family.types, index);
      CHECK(describe(one, run_case(context, one, make_data(one))) == "");
    }
}

// Problems of Views through the emulator, judged by a reference that walks them itself.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_families.hpp"
#include "support/viewed_cases.hpp"

#include <jute/emulator/emulator.hpp>

#include "support/gemm_case.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("products of random Views come out right and touch nothing else", "[gemm][view]") {
  const int cases_of_type = draws(24);
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < cases_of_type; ++index) {
      const GemmCase one = viewed_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

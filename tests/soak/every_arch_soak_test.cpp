// What is planned for an architecture is assembled for it: many draws of every kind for each.
#include <jute/launch/device_presets.hpp>

#include <iterator>
#include <string>

#include "support/catch.hpp"
#include "support/every_kind.hpp"
#include "support/every_type.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("what is planned for any architecture is assembled for it, of every kind",
          "[soak][arch]") {
  constexpr int kDrawsEach = 6;
  std::string faults;
  int index = 0;
  for (const Arch arch : compiled_arches()) {
    int kernels = 0;  // some kinds need what an architecture lacks
    for (const ProductKind& kind : product_kinds())
      for (int draw = 0; draw < kDrawsEach; ++draw) {
        const Assembled result = assembled(kind.draw(index++), preset_for(arch));
        faults += result.faults;
        kernels += result.kernels;
      }
    INFO(arch);
    CHECK(kernels > kDrawsEach * std::ssize(product_kinds()) / 2);
  }
  CHECK(faults == "");
}

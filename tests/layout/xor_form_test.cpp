// The F2-linear form against the layouts that it stands for.
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/xor_form.hpp>

using namespace jute;
using jute::test::refusal_of;

namespace {

const char* const kLinear[] = {"4:1",
                               "Sw<1,0,1>o0o4:1",
                               "Sw<3,3,3>o0o(8,64):(64,1)",
                               "Sw<3,4,3>o0o((8,16),(64,2)):((64,512),(1,8192))",
                               "Sw<2,4,3>o1024o(8,64):(64,1)",
                               "Sw<1,0,-2>o0o(8,(2,2)):(1,(8,16))",
                               "(8,(2,8)):(64,(1,8))",
                               "Sw<0,0,0>o56o(2,8):(1,-8)",
                               "(4,2):(3,16)",
                               "(4,8):(0,1)"};

}  // namespace

TEST_CASE("a bit-linear layout equals its columns at every coordinate", "[layout][xor][law]") {
  for (const char* notation : kLinear) {
    const ComposedLayout layout{std::string_view(notation)};
    const auto form = xor_form(layout);
    INFO(notation);
    if (std::string_view(notation) == "(4,2):(3,16)") {
      CHECK_FALSE(form);  // 3 and 6 share a bit: the digits of mode 0 carry
      continue;
    }
    REQUIRE(form);
    for (Index i = 0; i < size(layout); ++i) REQUIRE((*form)(i) == layout(i));
  }
}

TEST_CASE("layouts that are not linear over bits have no form", "[layout][xor]") {
  for (const char* notation : {"6:1", "(2,3):(1,2)", "(2,2):(1,1)", "2:1@0", "Sw<1,0,1>o1o4:1"}) {
    CHECK_FALSE(xor_form(ComposedLayout{std::string_view(notation)}));
  }
}

TEST_CASE("inverses and conversions undo the form", "[layout][xor][law]") {
  for (const char* notation : kLinear) {
    const ComposedLayout layout{std::string_view(notation)};
    const auto form = xor_form(layout);
    if (!form || !is_injective(*form)) continue;
    INFO(notation);
    const XorForm inverse = left_inverse(*form);
    for (Index i = 0; i < size(layout); ++i) REQUIRE(inverse((*form)(i)) == i);
    const auto back = to_layout(*form);
    REQUIRE(back);
    for (Index i = 0; i < size(layout); ++i) REQUIRE((*back)(i) == layout(i));
  }
  const ComposedLayout rows("Sw<3,3,3>o0o(8,64):(64,1)");
  const ComposedLayout columns("(8,64):(1,8)");
  const XorForm moved = conversion(rows, columns);
  for (Index i = 0; i < size(rows); ++i) REQUIRE(moved(rows(i)) == columns(i));
  const XorForm permutation = *xor_form(rows);
  const XorForm both = composition(permutation, right_inverse(permutation));
  for (Index x = 0; x < 512; ++x) REQUIRE(both(x) == x);
}

TEST_CASE("a form that loses coordinates has no left inverse", "[layout][xor][refusal]") {
  const auto broadcast = xor_form(ComposedLayout("(4,8):(0,1)"));
  REQUIRE(broadcast);
  CHECK(dimension(*broadcast) == 3);
  CHECK(refusal_of([&] { return left_inverse(*broadcast); }).code == ErrorCode::not_injective);
  CHECK(refusal_of([] { return conversion(ComposedLayout("6:1"), ComposedLayout("6:1")); }).code ==
        ErrorCode::not_compatible);
}

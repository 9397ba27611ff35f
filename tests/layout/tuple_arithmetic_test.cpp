// Arithmetic and orders of nested integers, unit vectors among them.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <limits>

using namespace jute;
using jute::test::RandomLayouts;
using jute::test::refusal_of;

namespace {
IntTuple T(const char* text) { return IntTuple(text); }
std::string text(const auto& value) { return to_string(value); }
}  // namespace

TEST_CASE("unit vectors add up to the tuples that they stand for", "[layout][tuple]") {
  CHECK(text(as_tuple(T("2@0@1"))) == "(0,(2))");
  CHECK(text(T("1@0") + T("2@1")) == "(1,2)");
  CHECK(text(T("1@0") + T("3@0")) == "(4)");
  CHECK(text(T("(1,2)") + T("3@1")) == "(1,5)");
  CHECK(text(T("(1,(2,3))") - T("(1,1@1)")) == "(0,(2,2))");
  CHECK(text(3 * T("(1,2@0)")) == "(3,6@0)");
  CHECK(text(T("0") + T("7@2")) == "7@2");
  CHECK(refusal_of([] { return T("1") + T("1@0"); }).code == ErrorCode::wrong_type);
  CHECK(refusal_of([] { return T("_") + T("1"); }).code == ErrorCode::wrong_type);
  CHECK(refusal_of([] { return 2 * T("(1,9223372036854775807)"); }).code == ErrorCode::overflow);
}

TEST_CASE("an identity layout is a sum of unit vectors", "[layout][tuple][law]") {
  RandomLayouts random(41);
  for (int n = 0; n < 2000; ++n) {
    const IntTuple shape = random.shape(4, 60);
    const Layout identity = make_identity_layout(shape);
    REQUIRE(make_basis_like(shape) == identity.stride());
    const std::vector<IntTuple> basis = flatten(identity.stride()).modes();
    IntTuple coordinate = idx2crd(0, shape);
    INFO(shape);
    for (Index i = 0; i < size(shape); ++i) {
      const std::vector<Index> digits = coordinate.leaves();
      IntTuple sum = 0;
      for (std::size_t d = 0; d < digits.size(); ++d) sum = sum + digits[d] * basis[d];
      REQUIRE(coordinate == idx2crd(i, shape));
      if (!shape.is_leaf()) REQUIRE(add(sum, scale(0, coordinate)) == coordinate);
      const IntTuple next = increment(coordinate, shape);
      if (i + 1 < size(shape)) REQUIRE(colex_less(coordinate, next));
      coordinate = next;
    }
  }
}

TEST_CASE("folds and roundings over tuples", "[layout][tuple]") {
  CHECK(sum(T("(1,(2,3))")) == 6);
  CHECK(max(T("(1,(7,3))")) == 7);
  CHECK(min(T("(4,(2,3))")) == 2);
  CHECK(gcd(T("(12,(18,30))")) == 6);
  CHECK(text(product_like(T("((2,3),4)"), T("(1,1)"))) == "(6,4)");
  CHECK(text(elem_scale(T("(2,3)"), T("(4,(5,6))"))) == "(8,90)");
  CHECK(text(round_up(T("(5,9,3)"), T("(4,8)"))) == "(8,16,3)");
  CHECK(evenly_divides(T("(8,6)"), T("(4,3)")));
  CHECK_FALSE(evenly_divides(T("(8,6)"), T("(4,4)")));
  CHECK_FALSE(evenly_divides(T("8"), T("(4,4)")));
  CHECK(refusal_of([] { return max(T("()")); }).code == ErrorCode::out_of_range);
}

TEST_CASE("a step or a divisor that leaves 64 bits is refused, not wrapped",
          "[layout][tuple][refusal]") {
  constexpr Index kMost = std::numeric_limits<Index>::max(), kLeast = -kMost - 1;
  CHECK(refusal_of([] { return increment(IntTuple(kMost), IntTuple(4)); }).code ==
        ErrorCode::overflow);
  const Error error = refusal_of([] { return increment(IntTuple{3, kMost}, T("(4,4)")); });
  CHECK(error.code == ErrorCode::overflow);
  CHECK(error.value == "9223372036854775807 + 1");
  CHECK(increment(IntTuple{2, kMost}, T("(4,4)")) == IntTuple{3, kMost});
  CHECK(refusal_of([] { return gcd(IntTuple{kLeast, 0}); }).code == ErrorCode::overflow);
  CHECK(gcd(IntTuple{kLeast, 12}) == 4);
  CHECK(gcd(IntTuple{-kMost}) == kMost);
  CHECK(gcd(IntTuple{0, 0}) == 0);
}

TEST_CASE("coordinates are ordered from either end", "[layout][tuple]") {
  CHECK(lex_less(T("(1,2)"), T("(2,1)")));
  CHECK_FALSE(colex_less(T("(1,2)"), T("(2,1)")));
  CHECK(colex_less(T("(2,(9,1))"), T("(1,(0,2))")));
  CHECK(lex_less(T("(1)"), T("(1,0)")));
  CHECK_FALSE(lex_less(T("(1,2)"), T("(1,2)")));
  CHECK(refusal_of([] { return lex_less(T("(1,2)"), T("(1,(2,3))")); }).code ==
        ErrorCode::not_congruent);
}

TEST_CASE("whether tuples can be compared hangs on their nesting, not on their numbers",
          "[layout][tuple][refusal]") {
  for (const char* numbers : {"(1,2)", "(9,2)"}) {
    const auto refused = [&](auto compare) {
      return refusal_of([&] { return compare(T(numbers), T("(4,(5,6))")); }).code;
    };
    CHECK(refused([](const IntTuple& a, const IntTuple& b) { return elem_less(a, b); }) ==
          ErrorCode::not_congruent);
    CHECK(refused([](const IntTuple& a, const IntTuple& b) { return lex_less(a, b); }) ==
          ErrorCode::not_congruent);
    CHECK(refused([](const IntTuple& a, const IntTuple& b) { return colex_less(a, b); }) ==
          ErrorCode::not_congruent);
  }
}

TEST_CASE("layouts behind a layout or a swizzle take operations on their coordinates",
          "[layout][composed]") {
  const ChainedLayout chained{Layout("(8,8):(8,1)"), 3, Layout("(4,4):(1,4)")};
  const auto divided =
      on_domain(chained, [](const Layout& inner) { return logical_divide(inner, Tiler(2)); });
  CHECK(text(divided) == "(8,8):(8,1)o3o(2,8):(1,2)");
  for (Index i = 0; i < size(divided); ++i) CHECK(divided(i) == chained(i));
  const ComposedLayout swizzled("Sw<1,0,1>o0o(4,4):(1,4)");
  const auto flat = on_domain(swizzled, [](const Layout& inner) { return coalesce(inner); });
  CHECK(text(flat) == "Sw<1,0,1>o0o16:1");
  CHECK(text(domain_offset(IntTuple("(1,2)"), swizzled)) == "Sw<1,0,1>o9o(4,4):(1,4)");
  CHECK(text(make_swizzle(0x1c0, 0x38)) == "Sw<3,3,3>");
  CHECK(refusal_of([] { return make_swizzle(0x3, 0x6); }).code == ErrorCode::not_compatible);
  const ChainedLayout open_ended{Layout("8:1"), 0, Swizzle(1, 0, 1)};
  CHECK(refusal_of([&] { return size(open_ended); }).code == ErrorCode::wrong_type);
}

// The laws of layouts behind swizzles, each against evaluation coordinate by coordinate.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/cast.hpp>
#include <jute/layout/chained_layout.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/properties.hpp>

#include <algorithm>

using namespace jute;
using jute::test::RandomLayouts;
using jute::test::refusal_of;

namespace {

constexpr int kSwizzleCases = 100000;

/// A swizzle of up to 2 bits before a layout, sometimes with an offset between them.
ComposedLayout swizzled(RandomLayouts& random, int leaves, Index largest) {
  const int bits = random.below(3);
  const int shift = bits + random.below(2);
  return ComposedLayout(Swizzle(bits, random.below(2), random.below(2) == 0 ? shift : -shift),
                        random.below(3) == 0 ? 8 : 0, random.layout(leaves, largest));
}

Index value_of(const InverseLayout& inverse, Index at) {
  return std::visit([&](const auto& layout) { return layout(at); }, inverse);
}

/// A coordinate of the shape with every other mode open, and the same with all of them fixed.
struct PartlyOpen {
  std::vector<IntTuple> open;
  std::vector<IntTuple> fixed;
};
PartlyOpen partly_open(RandomLayouts& random, const Layout& layout) {
  PartlyOpen result;
  for (const IntTuple& mode : layout.shape().modes()) {
    const bool is_open = random.below(2) == 0;
    const IntTuple index(is_open ? 0 : random.below(static_cast<int>(size(mode))));
    result.open.push_back(is_open ? IntTuple::wildcard() : index);
    result.fixed.push_back(index);
  }
  return result;
}

}  // namespace

TEST_CASE("a swizzled layout composes, divides and coalesces as a function",
          "[layout][swizzle][law]") {
  RandomLayouts random(31);
  for (int n = 0; n < kSwizzleCases; ++n) {
    const ComposedLayout layout = swizzled(random, 3, 40);
    const Layout tile = random.tile_of(layout.layout());
    INFO(layout << " and " << tile);
    const ComposedLayout composed = composition(layout, Tiler(tile));
    for (Index i = 0; i < size(tile); ++i) REQUIRE(composed(i) == layout(tile(i)));
    const ComposedLayout parts = logical_divide(layout, Tiler(tile));
    const Layout both = make_layout({tile, complement(tile, size(layout))});
    for (Index i = 0; i < size(both); ++i) REQUIRE(parts(i) == layout(both(i)));
    REQUIRE(equivalent(coalesce(layout), layout));
  }
}

TEST_CASE("the inverses of a swizzled layout undo it", "[layout][swizzle][inverse][law]") {
  RandomLayouts random(32);
  for (int inverted = 0; inverted < kSwizzleCases;) {
    const int bits = 1 + random.below(2);
    const int base = random.below(2);
    const Swizzle swizzle(bits, base, random.below(2) == 0 ? bits : -bits);
    const Layout inner = random.power_of_two_bijection(2 * bits + base + random.below(3));
    const ComposedLayout layout(swizzle, random.below(3) == 0 ? 64 : 0, inner);
    INFO(layout);
    try {
      const InverseLayout left = left_inverse(layout);
      const InverseLayout right = right_inverse(layout);
      for (Index i = 0; i < size(layout); ++i) {
        REQUIRE(value_of(left, layout(i)) == i);
        REQUIRE(value_of(right, layout(i)) == i);
      }
      ++inverted;
    } catch (const Exception& exception) {
      // Without an offset the swizzle moves to the inverse's offsets, which not all layouts let it.
      REQUIRE(exception.error().code == ErrorCode::not_compatible);
      REQUIRE(layout.offset() == 0);
    }
  }
}

TEST_CASE("an inverse that a moved swizzle cannot express is refused",
          "[layout][swizzle][inverse][refusal]") {
  // The layout turns round the bits of one field, or never reaches the other.
  for (const char* notation : {"Sw<2,0,-2>o0o(4,2,2):(4,2,1)", "Sw<2,3,2>o0o((4,4),2):((8,1),4)"}) {
    const ComposedLayout layout{std::string_view(notation)};
    INFO(notation);
    CHECK(refusal_of([&] { return left_inverse(layout); }).code == ErrorCode::not_compatible);
    CHECK(refusal_of([&] { return right_inverse(layout); }).code == ErrorCode::not_compatible);
  }
}

TEST_CASE("a slice and its offset give the offsets of the whole", "[layout][swizzle][slice][law]") {
  RandomLayouts random(33);
  for (int n = 0; n < kSwizzleCases; ++n) {
    // Bits of the layout never carry into one another: then a slice of a swizzle is exact.
    const Layout inner = random.power_of_two_bijection(2 + random.below(6));
    const int bits = random.below(3);
    const ComposedLayout layout(Swizzle(bits, random.below(2), bits + random.below(2)), 0, inner);
    const PartlyOpen coordinate = partly_open(random, inner);
    const IntTuple open = IntTuple::tuple(coordinate.open);
    const Layout plain = slice(open, inner);
    const ComposedAndOffset sliced = slice_and_offset(open, layout);
    INFO(layout << " at " << open << " is " << sliced.layout << " + " << sliced.offset);
    const Index origin = inner(IntTuple::tuple(coordinate.fixed));
    REQUIRE(size(sliced.layout) == size(plain));
    for (Index i = 0; i < size(plain); ++i) {
      REQUIRE(sliced.layout(i) + sliced.offset == layout.swizzle()(origin + plain(i)));
    }
  }
}

TEST_CASE("recasting keeps the bits that elements occupy", "[layout][swizzle][cast][law]") {
  RandomLayouts random(34);
  for (int n = 0; n < kSwizzleCases; ++n) {
    const Layout inner = random.power_of_two_bijection(2 + random.below(5));
    const int bits = random.below(3);
    const ComposedLayout layout(Swizzle(bits, 1 + random.below(2), bits + random.below(2)), 0,
                                inner);
    const ComposedLayout halves = downcast(layout, 2);
    INFO(layout << " in halves " << halves);
    REQUIRE(equivalent(upcast(halves, 2), layout));
    // Two halves of every element, in order.
    std::vector<Index> offsets;
    for (Index i = 0; i < size(halves); ++i) offsets.push_back(halves(i));
    for (Index i = 0; i < size(layout); ++i) {
      REQUIRE(std::ranges::count(offsets, 2 * layout(i)) == 1);
      REQUIRE(std::ranges::count(offsets, 2 * layout(i) + 1) == 1);
    }
  }
}

TEST_CASE("the widest vector is contiguous and aligned at every place",
          "[layout][swizzle][properties][law]") {
  RandomLayouts random(35);
  for (int n = 0; n < kSwizzleCases; ++n) {
    const ComposedLayout layout = swizzled(random, 3, 32);
    const Index elems = max_vector_elems(layout, {32, 16, 16});
    INFO(layout << " by " << elems);
    REQUIRE((elems == 1 || elems == 2 || elems == 4));
    REQUIRE(size(layout) % elems == 0);
    for (Index i = 0; i < size(layout); ++i) {
      REQUIRE(layout(i) == layout(i - i % elems) + i % elems);
      if (elems > 1 && i % elems == 0) REQUIRE(layout(i) % elems == 0);
    }
  }
}

TEST_CASE("equivalence sees through swizzles", "[layout][equivalent][law]") {
  RandomLayouts random(9);
  int equal = 0;
  for (int n = 0; n < kSwizzleCases; ++n) {
    const ComposedLayout a = swizzled(random, 2, 8);
    const ComposedLayout b = swizzled(random, 2, 8);
    bool same = size(a) == size(b);
    for (Index i = 0; same && i < size(a); ++i) same = a(i) == b(i);
    INFO(a << " " << b);
    REQUIRE(equivalent(a, b) == same);
    equal += same ? 1 : 0;
  }
  CHECK(equal > 1000);
}

// The laws of the algebra over many random layouts, each against evaluation coordinate by
// coordinate.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/properties.hpp>

#include <set>

using namespace jute;
using jute::test::RandomLayouts;

namespace {

/// Runs an operation; nothing where it refuses.
template <class Call>
auto attempt(Call&& call) -> std::optional<decltype(call())> {
  try {
    return call();
  } catch (const Exception&) {
    return std::nullopt;
  }
}

std::set<Index> offsets_of(const Layout& layout) {
  std::set<Index> offsets;
  for (Index i = 0; i < size(layout); ++i) offsets.insert(layout(i));
  return offsets;
}

bool same_function(const Layout& a, const Layout& b) {
  if (size(a) != size(b)) return false;
  for (Index i = 0; i < size(a); ++i) {
    if (a(i) != b(i)) return false;
  }
  return true;
}

/// Is each stride a multiple of the extent times stride of the next smaller one?
bool strides_divide(const Layout& layout) {
  const Layout modes = filter(layout);
  std::vector<std::pair<Index, Index>> sorted;
  for (int i = 0; i < modes.rank(); ++i) {
    sorted.emplace_back(modes[i].flat_stride()[0], size(modes[i]));
  }
  std::sort(sorted.begin(), sorted.end());
  Index reached = 1;
  for (const auto& [stride, extent] : sorted) {
    if (stride % reached != 0) return false;
    reached = stride * extent;
  }
  return true;
}

}  // namespace

TEST_CASE("composition agrees with applying one layout after the other",
          "[layout][composition][law]") {
  RandomLayouts random(1);
  int composed = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout a = random.layout();
    const Layout b = random.layout(3, 100);
    const auto r = attempt([&] { return composition(a, b); });
    if (!r) continue;
    ++composed;
    INFO(a << " o " << b << " = " << *r);
    REQUIRE(weakly_congruent(b.shape(), r->shape()));
    REQUIRE(compatible(b.shape(), r->shape()));
    // Beyond its size the left side goes on as its coalesced last mode does.
    const bool inside = cosize(b) <= size(a);
    for (Index i = 0; inside && i < size(b); ++i) REQUIRE((*r)(i) == a(b(i)));
  }
  CHECK(composed > 20000);
}

TEST_CASE("coalescing and flattening keep the function", "[layout][coalesce][law]") {
  RandomLayouts random(2);
  for (int n = 0; n < 100000; ++n) {
    const Layout layout = random.layout(5, 200);
    const Layout flat = coalesce(layout);
    INFO(layout);
    REQUIRE(depth(flat) <= 1);
    REQUIRE(coalesce(flat) == flat);
    REQUIRE(same_function(layout, flat));
    REQUIRE(equivalent(layout, flatten(layout)));
  }
}

TEST_CASE("a complement is ordered, disjoint and fills the cotarget", "[layout][complement][law]") {
  RandomLayouts random(3);
  int complements = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout layout = random.layout(4, 100);
    const Index cotarget = 1 + random.below(400);
    const auto rest = attempt([&] { return complement(layout, cotarget); });
    if (!rest) continue;
    ++complements;
    INFO(layout << " in " << cotarget << ": " << *rest);
    // Where a stride is no multiple of what lies below it, the complement rounds down, as in CuTe.
    if (strides_divide(layout)) REQUIRE(cosize(make_layout({layout, *rest})) >= cotarget);
    for (Index i = 1; i < size(*rest); ++i) REQUIRE((*rest)(i - 1) < (*rest)(i));
    if (n % 10 != 0) continue;
    const std::set<Index> taken = offsets_of(layout);
    for (Index i = 1; i < size(*rest); ++i) REQUIRE_FALSE(taken.contains((*rest)(i)));
  }
  CHECK(complements > 30000);
}

TEST_CASE("inverses undo the layout from their side", "[layout][inverse][law]") {
  RandomLayouts random(4);
  int inverted = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout layout = random.layout(5, 200);
    const Layout right = right_inverse(layout);
    INFO(layout << " right inverse " << right);
    for (Index i = 0; i < size(right); ++i) REQUIRE(layout(right(i)) == i);
    if (!is_injective(layout)) continue;
    const auto left = attempt([&] { return left_inverse(layout); });
    if (!left) continue;
    ++inverted;
    INFO("left inverse " << *left);
    for (Index i = 0; i < size(layout); ++i) REQUIRE((*left)(layout(i)) == i);
  }
  CHECK(inverted > 20000);
}

TEST_CASE("a division that fits holds every element once", "[layout][divide][law]") {
  RandomLayouts random(5);
  int divided = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout layout = random.layout(4, 200);
    const Layout tile = random.layout(2, 12);
    if (size(layout) % size(tile) != 0 || !is_injective(tile)) continue;
    const auto parts = attempt([&] { return make_layout({tile, complement(tile, size(layout))}); });
    if (!parts || size(*parts) != size(layout) || !is_bijective(*parts)) continue;
    const auto composed = attempt([&] { return composition(layout, *parts); });
    if (!composed) continue;
    const Layout quotient = logical_divide(layout, tile);
    INFO(layout << " / " << tile);
    REQUIRE(quotient == *composed);
    ++divided;
    // The first mode is the tile, and both together are all of the layout.
    for (Index i = 0; i < size(tile); ++i) REQUIRE(quotient[0](i) == layout(tile(i)));
    REQUIRE(offsets_of(quotient) == offsets_of(layout));
  }
  CHECK(divided > 2000);
}

TEST_CASE("a product repeats the block without overlap", "[layout][product][law]") {
  RandomLayouts random(6);
  int products = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout block = random.layout(3, 40);
    const Layout tiler = random.layout(3, 20);
    if (!is_injective(block) || !is_injective(tiler)) continue;
    const auto product = attempt([&] { return logical_product(block, tiler); });
    if (!product) continue;
    ++products;
    INFO(block << " * " << tiler << " = " << *product);
    REQUIRE((*product)[0] == block);
    REQUIRE(compatible(tiler.shape(), (*product)[1].shape()));
    REQUIRE(size(*product) == size(block) * size(tiler));
  }
  CHECK(products > 5000);
}

TEST_CASE("what is printed parses back", "[layout][notation][law]") {
  RandomLayouts random(7);
  for (int n = 0; n < 100000; ++n) {
    const Layout layout = random.layout();
    REQUIRE(Layout(to_string(layout)) == layout);
    const IntTuple shape = layout.shape();
    REQUIRE(IntTuple(to_string(shape)) == shape);
    REQUIRE(std::hash<Layout>{}(Layout(to_string(layout))) == std::hash<Layout>{}(layout));
  }
}

TEST_CASE("equivalence and injectivity agree with walking the domain",
          "[layout][equivalent][law]") {
  RandomLayouts random(8);
  int equal = 0;
  for (int n = 0; n < 100000; ++n) {
    const Layout a = random.layout(3, 24);
    const Layout b = random.layout(3, 24);
    INFO(a << " " << b);
    REQUIRE(equivalent(a, b) == same_function(a, b));
    equal += equivalent(a, b) ? 1 : 0;
    REQUIRE(is_injective(a) == (static_cast<Index>(offsets_of(a).size()) == size(a)));
    REQUIRE(is_bijective(a) ==
            (static_cast<Index>(offsets_of(a).size()) == size(a) && cosize(a) == size(a)));
  }
  CHECK(equal > 1000);
}

TEST_CASE("equivalence sees through swizzles", "[layout][equivalent][law]") {
  RandomLayouts random(9);
  int equal = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto swizzled = [&] {
      const int bits = random.below(3);
      const int shift = bits + random.below(2);
      return ComposedLayout(Swizzle(bits, random.below(2), random.below(2) == 0 ? shift : -shift),
                            random.below(3) == 0 ? 8 : 0, random.layout(2, 8));
    };
    const ComposedLayout a = swizzled();
    const ComposedLayout b = swizzled();
    bool same = size(a) == size(b);
    for (Index i = 0; same && i < size(a); ++i) same = a(i) == b(i);
    INFO(a << " " << b);
    REQUIRE(equivalent(a, b) == same);
    equal += same ? 1 : 0;
  }
  CHECK(equal > 200);
}

TEST_CASE("coordinates and indices are inverse", "[layout][coordinates][law]") {
  RandomLayouts random(10);
  for (int n = 0; n < 100000; ++n) {
    const IntTuple shape = random.shape(4, 100);
    const Index index = random.below(static_cast<int>(size(shape)));
    const IntTuple coordinate = idx2crd(index, shape);
    INFO(index << " in " << shape << " is " << coordinate);
    REQUIRE(congruent(coordinate, shape));
    REQUIRE(crd2idx(coordinate, shape) == index);
    const Layout layout = random.layout(3, 60);
    const Index i = random.below(static_cast<int>(size(layout)));
    REQUIRE(layout(idx2crd(i, layout.shape())) == layout(i));
    REQUIRE(crd2idx(i, layout).value() == layout(i));
  }
}

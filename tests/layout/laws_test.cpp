// The laws of the algebra over many random layouts, each against evaluation coordinate by
// coordinate.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/coordinates.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

#include <set>

using namespace jute;
using jute::test::RandomLayouts;

namespace {

constexpr int kCases = 100000;

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
  for (int composed = 0; composed < kCases;) {
    const Layout a = random.layout();
    const Layout b = random.below(2) == 0 ? random.layout(3, 100) : random.tile_of(a);
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
}

TEST_CASE("what selects whole digits of a layout can be composed with it",
          "[layout][composition][law]") {
  RandomLayouts random(13);
  for (int n = 0; n < kCases; ++n) {
    const Layout a = random.layout();
    const Layout b = random.tile_of(a);
    INFO(a << " o " << b);
    const Layout r = composition(a, b);
    for (Index i = 0; i < size(b); ++i) REQUIRE(r(i) == a(b(i)));
  }
}

TEST_CASE("coalescing and flattening keep the function", "[layout][coalesce][law]") {
  RandomLayouts random(2);
  for (int n = 0; n < kCases; ++n) {
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
  for (int complements = 0; complements < kCases;) {
    const Layout layout = random.layout(4, 100);
    const Index cotarget = 1 + random.below(400);
    const auto rest = attempt([&] { return complement(layout, cotarget); });
    if (!rest) continue;
    ++complements;
    INFO(layout << " in " << cotarget << ": " << *rest);
    // Where a stride is no multiple of what lies below it, the complement rounds down, as in CuTe.
    if (strides_divide(layout)) REQUIRE(cosize(make_layout({layout, *rest})) >= cotarget);
    for (Index i = 1; i < size(*rest); ++i) REQUIRE((*rest)(i - 1) < (*rest)(i));
    if (complements % 10 != 0) continue;
    const std::set<Index> taken = offsets_of(layout);
    for (Index i = 1; i < size(*rest); ++i) REQUIRE_FALSE(taken.contains((*rest)(i)));
    // What both together reach is [0, cosize) exactly once, where the layout lets them.
    if (strides_divide(layout)) REQUIRE(is_injective(make_layout({filter(layout), *rest})));
  }
}

TEST_CASE("inverses undo the layout from their side", "[layout][inverse][law]") {
  RandomLayouts random(4);
  for (int inverted = 0; inverted < kCases;) {
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
}

TEST_CASE("strides on unit vectors take their digits from the mode that they name",
          "[layout][composition][law]") {
  RandomLayouts random(34);
  for (int composed = 0; composed < kCases / 10;) {
    const Layout lhs = random.layout(3, 60), rhs = random.layout(3, 60);
    const auto one = attempt([&] { return composition(lhs, rhs); });
    // The same right side for mode 1 of a pair.
    std::vector<IntTuple> strides;
    for (const Index stride : rhs.stride().leaves())
      strides.push_back(stride == 0 ? IntTuple(0) : IntTuple::basis(stride, {1}));
    const Layout named(flatten(rhs).shape().is_tuple() ? flatten(rhs).shape()
                                                       : IntTuple::tuple({flatten(rhs).shape()}),
                       IntTuple::tuple(strides));
    if (named.is_plain()) continue;
    const Layout pair = make_layout({Layout("7:1000"), lhs});
    const auto other = attempt([&] { return composition(pair, named); });
    INFO(lhs << " o " << rhs << ": " << named);
    REQUIRE(one.has_value() == other.has_value());
    if (!one) continue;
    ++composed;
    REQUIRE(equivalent(*one, *other));
  }
}

TEST_CASE("the inverse of a layout of coordinates is given these and answers where",
          "[layout][inverse][law]") {
  RandomLayouts random(24);
  for (int inverted = 0; inverted < kCases / 10;) {
    const Layout order = random.bijection(5, 200);
    std::vector<Index> extents = order.shape().leaves();
    std::reverse(extents.begin(), extents.end());
    const IntTuple shape = IntTuple::tuple(std::vector<IntTuple>(extents.begin(), extents.end()));
    // Far apart, so that what carries is refused; unit vectors let it through.
    std::vector<IntTuple> apart;
    for (std::size_t i = 0; i < extents.size(); ++i) apart.emplace_back(Index{1} << (8 * i));
    if (!try_composition(Layout(shape, IntTuple::tuple(apart)), order)) continue;
    ++inverted;
    const Layout layout = composition(make_identity_layout(shape), order);
    const Layout right = right_inverse(layout), left = left_inverse(layout);
    INFO(layout << " right inverse " << right << " left inverse " << left);
    REQUIRE(size(right) == size(layout));
    for (Index i = 0; i < size(layout); ++i) {
      const IntTuple coordinate = as_tuple(crd2idx(i, layout));
      REQUIRE(crd2idx(coordinate, right) == IntTuple(i));
      REQUIRE(crd2idx(coordinate, left) == IntTuple(i));
    }
  }
}

TEST_CASE("the right inverse reaches every offset below the first gap", "[layout][inverse][law]") {
  RandomLayouts random(14);
  for (int n = 0; n < kCases; ++n) {
    const Layout layout = random.bijection(5, 200);
    INFO(layout);
    REQUIRE(size(right_inverse(layout)) == size(layout));
    REQUIRE(equivalent(right_inverse(layout), left_inverse(layout)));
    REQUIRE(equivalent(right_inverse(right_inverse(layout)), layout));
  }
}

TEST_CASE("a division that fits holds every element once", "[layout][divide][law]") {
  RandomLayouts random(5);
  for (int n = 0; n < kCases; ++n) {
    const Layout layout = random.layout(4, 200);
    const Layout tile = random.tile_of(layout);
    INFO(layout << " / " << tile);
    const Layout rest = complement(tile, size(layout));
    const Layout quotient = logical_divide(layout, tile);
    REQUIRE(quotient == composition(layout, make_layout({tile, rest})));
    // The first mode is the tile, the second where the tiles begin; both are all of the layout.
    for (Index i = 0; i < size(tile); ++i) REQUIRE(quotient[0](i) == layout(tile(i)));
    for (Index j = 0; j < size(rest); ++j) REQUIRE(quotient[1](j) == layout(rest(j)));
    REQUIRE(size(quotient) == size(layout));
    if (n % 10 == 0) REQUIRE(offsets_of(quotient) == offsets_of(layout));
  }
}

TEST_CASE("a division is composition with tile and complement wherever that is accepted",
          "[layout][divide][law]") {
  RandomLayouts random(17);
  for (int divisions = 0; divisions < kCases / 4;) {
    const Layout layout = random.layout(3, 60);
    const Layout tile = random.below(2) == 0 ? random.layout(2, 12) : random.layout(3, 60);
    const auto quotient = attempt([&] { return logical_divide(layout, tile); });
    if (!quotient) continue;
    ++divisions;
    INFO(layout << " / " << tile << " = " << *quotient);
    const auto picked = attempt([&] { return composition(layout, tile); });
    if (picked) REQUIRE((*quotient)[0] == *picked);
    const Layout both = make_layout({tile, complement(tile, size(layout))});
    const auto composed = attempt([&] { return composition(layout, both); });
    if (composed) REQUIRE(*quotient == *composed);
  }
}

TEST_CASE("the four divisions hold the same modes", "[layout][divide][law]") {
  RandomLayouts random(15);
  for (int n = 0; n < kCases / 4; ++n) {
    const Layout layout = make_layout({random.layout(2, 30), random.layout(2, 30)});
    const Layout rows = random.tile_of(layout[0]);
    const Layout columns = random.tile_of(layout[1]);
    const Tiler tiler(std::vector<Tiler>{rows, columns});
    INFO(layout << " / " << tiler);
    const Layout logical = logical_divide(layout, tiler);
    const Layout tiles = make_layout({logical[0][0], logical[1][0]});
    const Layout rests = make_layout({logical[0][1], logical[1][1]});
    REQUIRE(zipped_divide(layout, tiler) == make_layout({tiles, rests}));
    REQUIRE(tiled_divide(layout, tiler) == make_layout({tiles, rests[0], rests[1]}));
    REQUIRE(flat_divide(layout, tiler) == make_layout({tiles[0], tiles[1], rests[0], rests[1]}));
    REQUIRE(tile_unzip(logical, tiler) == make_layout({tiles, rests}));
  }
}

TEST_CASE("a product repeats the block in the gaps it leaves", "[layout][product][law]") {
  RandomLayouts random(6);
  for (int products = 0; products < kCases;) {
    const Layout block = random.layout(3, 40);
    const Layout tiler = random.layout(3, 20);
    const auto product = attempt([&] { return logical_product(block, tiler); });
    if (!product) continue;
    ++products;
    INFO(block << " * " << tiler << " = " << *product);
    REQUIRE((*product)[0] == block);
    REQUIRE(compatible(tiler.shape(), (*product)[1].shape()));
    REQUIRE(size(*product) == size(block) * size(tiler));
    // Copy j begins where the tiler's offset j lies among the free places of the block.
    const Layout free = complement(block, size(block) * cosize(tiler));
    const auto exact = attempt([&] { return composition(free, tiler); });
    if (!exact) continue;  // the tiler's modes do not fit the gaps: rounded, as in CuTe
    for (Index j = 0; j < size(tiler); ++j) REQUIRE((*product)[1](j) == free(tiler(j)));
    const bool has_room = strides_divide(block) || cosize(tiler) <= size(free);
    if (has_room && is_injective(block) && is_injective(tiler)) {
      REQUIRE(is_injective(*product));
    }
  }
}

TEST_CASE("blocked and raked products pair the modes of the logical one",
          "[layout][product][law]") {
  RandomLayouts random(16);
  for (int products = 0; products < kCases / 4;) {
    const Layout block = make_layout({random.layout(1, 8), random.layout(1, 8)});
    const Layout tiler = make_layout({random.layout(1, 8), random.layout(1, 8)});
    const auto logical = attempt([&] { return logical_product(block, tiler); });
    if (!logical) continue;
    ++products;
    INFO(block << " * " << tiler);
    REQUIRE(blocked_product(block, tiler) == zip((*logical)[0], (*logical)[1]));
    REQUIRE(raked_product(block, tiler) == zip((*logical)[1], (*logical)[0]));
    REQUIRE(zip(*logical) == zip((*logical)[0], (*logical)[1]));
  }
}

TEST_CASE("what is printed parses back", "[layout][notation][law]") {
  RandomLayouts random(7);
  for (int n = 0; n < kCases; ++n) {
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
  for (int n = 0; n < kCases; ++n) {
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

TEST_CASE("coordinates and indices are inverse", "[layout][coordinates][law]") {
  RandomLayouts random(10);
  for (int n = 0; n < kCases; ++n) {
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

// Layouts of up to 16 leaves are worked on without the heap.
#include "layout/counting_allocator.hpp"
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>
#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

using namespace jute;
using jute::test::allocations_of;
using jute::test::RandomLayouts;

namespace {

/// Heap allocations of a call that succeeds; none counted where it refuses.
template <class Call>
long allocations_if_legal(Call&& call) {
  try {
    (void)call();
  } catch (const Exception&) {
    return 0;
  }
  return allocations_of(call);
}

}  // namespace

TEST_CASE("up to 16 leaves no operation allocates", "[layout][allocation]") {
  RandomLayouts random(21);
  for (int n = 0; n < 3000; ++n) {
    const Layout a = random.layout(8, 4096);
    const Layout b = random.layout(4, 64);
    const Tiler tiler(b);
    const IntTuple cotarget(1 + random.below(4096));
    const IntTuple doubled = scale(2, product_each(b.shape()));
    INFO(a << " " << b);
    REQUIRE(allocations_if_legal([&] { return coalesce(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return composition(a, b); }) == 0);
    REQUIRE(allocations_if_legal([&] { return complement(a, cotarget); }) == 0);
    REQUIRE(allocations_if_legal([&] { return logical_divide(a, tiler); }) == 0);
    REQUIRE(allocations_if_legal([&] { return zipped_divide(a, tiler); }) == 0);
    REQUIRE(allocations_if_legal([&] { return tiled_divide(a, tiler); }) == 0);
    REQUIRE(allocations_if_legal([&] { return logical_product(a, b); }) == 0);
    REQUIRE(allocations_if_legal([&] { return right_inverse(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return left_inverse(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return flatten(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return a(size(a) - 1); }) == 0);
    REQUIRE(allocations_if_legal([&] { return Layout(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return flat_divide(a, tiler); }) == 0);
    REQUIRE(allocations_if_legal([&] { return blocked_product(a, b); }) == 0);
    REQUIRE(allocations_if_legal([&] { return raked_product(a, b); }) == 0);
    REQUIRE(allocations_if_legal([&] { return tile_to_shape(b, doubled); }) == 0);
    REQUIRE(allocations_if_legal([&] { return with_shape(a, b.shape()); }) == 0);
    REQUIRE(allocations_if_legal([&] { return make_layout_like(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return max_common_vector(a, b); }) == 0);
    REQUIRE(allocations_if_legal([&] { return max_alignment(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return filter(a); }) == 0);
    REQUIRE(allocations_if_legal([&] { return upcast(a, 2); }) == 0);
    REQUIRE(allocations_if_legal([&] { return equivalent(a, b); }) == 0);
  }
}

TEST_CASE("16 leaves that do not merge stay inline", "[layout][allocation]") {
  std::vector<Layout> modes;
  for (int i = 0; i < 16; ++i) modes.emplace_back(IntTuple(2), IntTuple(Index{1} << (15 - i)));
  const Layout full = make_layout(modes);
  const Tiler tile(Layout("4:2"));
  const IntTuple cotarget(Index{1} << 20);
  CHECK(coalesce(full) == full);
  CHECK(allocations_of([&] { return coalesce(full); }) == 0);
  CHECK(allocations_of([&] { return composition(full, full); }) == 0);
  CHECK(allocations_of([&] { return complement(full, cotarget); }) == 0);
  CHECK(allocations_of([&] { return right_inverse(full); }) == 0);
  CHECK(allocations_of([&] { return left_inverse(full); }) == 0);
  CHECK(allocations_of([&] { return logical_divide(full, tile); }) == 0);
  CHECK(allocations_of([&] { return zipped_divide(full, tile); }) == 0);
}

TEST_CASE("more leaves go to the heap and give the same results", "[layout][allocation]") {
  std::vector<Layout> modes;
  for (int i = 0; i < 40; ++i) modes.push_back(Layout(IntTuple(2), IntTuple(Index{1} << i)));
  const Layout wide = make_layout(modes);
  CHECK(allocations_of([&] { return Layout(wide); }) > 0);
  CHECK(coalesce(wide) == Layout(IntTuple(Index{1} << 40), IntTuple(1)));
  CHECK(composition(wide, wide) == wide);
  Layout moved = wide;
  const Layout target = std::move(moved);
  CHECK(target == wide);
}

// Layouts of up to 16 leaves are worked on without the heap.
#include "layout/counting_allocator.hpp"
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/modes.hpp>

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
  }
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

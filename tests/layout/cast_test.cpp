// Casts of swizzles: what a layout of larger elements can and cannot tell.
#include <jute/layout/cast.hpp>
#include <jute/layout/coordinates.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

/// By its definition: every aligned run of n numbers stays one, in order.
bool keeps_runs_by_count(const Swizzle& swizzle, Index n) {
  const Index span = (swizzle.source_mask() | swizzle.target_mask()) + 1;
  for (Index x = 0; x < 2 * span * n; ++x)
    if (swizzle(x) != swizzle(x / n * n) + x % n) return false;
  return true;
}

}  // namespace

TEST_CASE("a swizzle keeps runs that lie below its base", "[layout][cast][law]") {
  for (int bits = 0; bits <= 3; ++bits)
    for (int base = 0; base <= 4; ++base)
      for (int shift = -4; shift <= 4; ++shift) {
        if (std::abs(shift) < bits) continue;
        const Swizzle swizzle(bits, base, shift);
        for (const Index n : {1, 2, 4, 8, 16}) {
          INFO(to_string(swizzle) << " by " << n);
          REQUIRE(keeps_runs(swizzle, n) == keeps_runs_by_count(swizzle, n));
        }
      }
}

TEST_CASE("a cast of a swizzle that keeps runs loses no order", "[layout][cast][law]") {
  constexpr Index kRows = 16, kColumns = 32;
  const Layout rows(IntTuple{kRows, kColumns}, IntTuple{kColumns, 1});
  for (int bits = 1; bits <= 3; ++bits)
    for (int base = 0; base <= 4; ++base)
      for (int shift = bits; base + bits + shift <= 9; ++shift)
        for (const Index n : {2, 4, 8}) {
          const ComposedLayout layout(Swizzle(bits, base, shift), 0, rows);
          const ComposedLayout cast = recast_layout(layout, 8, 8 * n);
          bool is_kept = true;
          for (Index row = 0; row < kRows; ++row)
            for (Index column = 0; column < kColumns; ++column)
              is_kept = is_kept && layout(row + kRows * column) ==
                                       n * cast(row + kRows * (column / n)) + column % n;
          INFO(to_string(layout) << " by " << n);
          REQUIRE(is_kept == keeps_runs(layout.swizzle(), n));
        }
}

TEST_CASE("what a swizzle may be cast by is refused as for a cast", "[layout][cast][refusal]") {
  CHECK(test::refusal_of([] { return keeps_runs(Swizzle(3, 3, 3), 0); }).nearest_legal == "1");
  CHECK(test::refusal_of([] { return keeps_runs(Swizzle(3, 3, 3), 3); }).nearest_legal == "2");
}

// Equality of functions behind two different swizzles, against walking the domain.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/equivalent.hpp>
#include <jute/layout/modes.hpp>

#include <optional>

using namespace jute;
using jute::test::RandomLayouts;
using jute::test::refusal_of;

namespace {

Swizzle random_swizzle(RandomLayouts& random) {
  const int bits = random.below(3);
  const int shift = bits + random.below(3);
  return Swizzle(bits, random.below(4), random.below(6) == 0 ? -shift : shift);
}

/// Modes with strides that carry into each other more often than not.
std::vector<Layout> random_modes(RandomLayouts& random) {
  std::vector<Layout> modes;
  Index room = 256;
  for (int count = 1 + random.below(4); count > 0; --count) {
    const Index extent = random.below(3) == 0 ? 2 + random.below(5) : 2 << random.below(2);
    const Index stride = random.below(2) == 0 ? 1 << random.below(6) : random.below(20);
    if (extent > room) continue;
    room /= extent;
    modes.emplace_back(IntTuple(extent), IntTuple(stride));
  }
  return modes;
}

/// The layout behind `swizzle` that agrees with `wanted` in 0 and at the first step of each mode,
/// at each binary digit of some modes. Nothing where that takes a negative stride.
std::optional<ComposedLayout> agreeing_at_digits(RandomLayouts& random, const Swizzle& swizzle,
                                                 const ComposedLayout& wanted) {
  const Index offset = swizzle(wanted(0));
  std::vector<Layout> modes;
  Index place = 1;
  for (const Index extent : wanted.shape().leaves()) {
    const bool split = extent == 4 && random.below(2) == 0;
    for (Index digit = 1; digit < (split ? extent : 2); digit *= 2) {
      const Index stride = swizzle(wanted(digit * place)) - offset;
      if (stride < 0) return std::nullopt;
      modes.emplace_back(IntTuple(split ? 2 : extent), IntTuple(stride));
    }
    place *= extent;
  }
  return ComposedLayout(swizzle, offset, make_layout(modes));
}

}  // namespace

TEST_CASE("equality behind two swizzles is that of walking the domain, carries or not",
          "[layout][equivalent][law]") {
  RandomLayouts random(31);
  int equal = 0;
  int different = 0;
  while (equal + different < 60000) {
    const ComposedLayout a(random_swizzle(random), random.below(3) == 0 ? random.below(64) : 0,
                           make_layout(random_modes(random)));
    const auto b = agreeing_at_digits(random, random_swizzle(random), a);
    if (!b || a.swizzle() == b->swizzle()) continue;
    bool same = true;
    for (Index i = 0; same && i < size(a); ++i) same = a(i) == (*b)(i);
    INFO(a << " " << *b);
    REQUIRE(equivalent(a, *b) == same);
    ++(same ? equal : different);
  }
  CHECK(equal > 10000);
  CHECK(different > 10000);
}

TEST_CASE("carries below, between and above the swizzled bits cost no walk",
          "[layout][equivalent]") {
  // 2^40 coordinates each, so that only the digits can answer.
  const auto same = [](const char* a, const char* b) {
    return equivalent(ComposedLayout(a), ComposedLayout(b));
  };
  // Below: 1 and 3 carry up to 12, the bits 4 and 5 are changed by 7 and 8, which stay 0.
  CHECK(same("Sw<2,4,3>o0o(4,4,68719476736):(1,3,512)", "(4,4,68719476736):(1,3,512)"));
  CHECK_FALSE(same("Sw<2,4,3>o0o(4,4,68719476736):(1,3,256)", "(4,4,68719476736):(1,3,256)"));
  // Above: bit 7 changes bit 4, whichever swizzle says so and whatever 512 and 1536 carry.
  CHECK(same("Sw<1,4,3>o0o(2,4,137438953472):(128,512,1536)",
             "Sw<0,0,0>o0o(2,4,137438953472):(144,512,1536)"));
  CHECK(same("Sw<2,3,3>o0o(2,4,137438953472):(128,512,1536)",
             "Sw<1,4,3>o0o(2,4,137438953472):(128,512,1536)"));
  CHECK_FALSE(same("Sw<2,3,3>o0o(2,4,137438953472):(64,512,1536)",
                   "Sw<1,4,3>o0o(2,4,137438953472):(64,512,1536)"));
  // Across: 96 + 96 carries into the source bit 7, which is no XOR of digits then.
  CHECK_FALSE(same("Sw<1,4,3>o0o(2,2,274877906944):(96,96,512)", "(2,2,274877906944):(96,96,512)"));
}

TEST_CASE("two swizzles whose bits carry in step are compared up to 2^24 coordinates",
          "[layout][equivalent][refusal]") {
  // Bits 4 and 8, of which one or the other is XORed into bit 0, are both set where both leading
  // digits are.
  const std::string modes = "(2,2,";
  const auto both = [&](const std::string& rest, const std::string& stride) {
    const std::string layout = modes + rest + "):(136,136," + stride + ")";
    return std::pair{ComposedLayout("Sw<1,0,4>o0o" + layout),
                     ComposedLayout("Sw<1,0,8>o0o" + layout)};
  };
  const auto [a, b] = both("1024", "512");
  CHECK(equivalent(a, b));
  const auto [large_a, large_b] = both("68719476736", "512");
  CHECK(refusal_of([&, &a = large_a, &b = large_b] { return equivalent(a, b); }).code ==
        ErrorCode::unsupported);
  const auto [other_a, other_b] = both("68719476736", "256");
  CHECK_FALSE(equivalent(other_a, other_b));
}

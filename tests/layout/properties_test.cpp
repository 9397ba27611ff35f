// Contiguity, vector widths, bank conflicts, bulk evaluation, conversions.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/properties.hpp>
#include <jute/layout/xor_form.hpp>

using namespace jute;
using jute::test::RandomLayouts;
using jute::test::refusal_of;

TEST_CASE("runs and vector widths follow from strides, swizzle and alignment",
          "[layout][properties]") {
  CHECK(contiguous_run(Layout("(8,64):(64,1)")) == 1);
  CHECK(contiguous_run(Layout("(4,2,8):(1,4,64)")) == 8);
  CHECK(max_vector_elems(ComposedLayout("Sw<3,3,3>o0o(64,8):(1,64)"), {16, 16, 16}) == 8);
  CHECK(max_vector_elems(ComposedLayout("Sw<3,2,3>o0o(64,8):(1,64)"), {16, 16, 16}) == 4);
  CHECK(max_vector_elems(ComposedLayout("(64,8):(1,66)"), {16, 16, 16}) == 2);
  CHECK(max_vector_elems(ComposedLayout("(64,8):(1,64)"), {16, 4, 16}) == 2);
  CHECK(max_vector_elems(ComposedLayout("(64,8):(8,1)"), {16, 16, 16}) == 1);
}

TEST_CASE("bank conflicts are counted as the hardware serves lanes", "[layout][properties]") {
  CHECK(bank_conflicts(ComposedLayout("32:1"), 32, 4) == BankConflicts{1, 1});
  CHECK(bank_conflicts(ComposedLayout("32:32"), 32, 4) == BankConflicts{32, 1});
  CHECK(bank_conflicts(ComposedLayout("32:0"), 32, 4) == BankConflicts{1, 1});
  CHECK(bank_conflicts(ComposedLayout("32:4"), 32, 16) == BankConflicts{4, 4});
  CHECK(bank_conflicts(ComposedLayout("32:1"), 16, 2) == BankConflicts{1, 1});
  // Eight rows of 128 bytes read as a column of 16-byte units: the swizzle spreads them.
  CHECK(bank_conflicts(ComposedLayout("8:64"), 16, 16) == BankConflicts{8, 1});
  CHECK(bank_conflicts(ComposedLayout("Sw<3,3,3>o0o8:64"), 16, 16) == BankConflicts{1, 1});
  CHECK(refusal_of([] { return bank_conflicts(ComposedLayout("32:1"), 16, 4); }).code ==
        ErrorCode::misaligned);
}

TEST_CASE("bulk evaluation equals evaluation one by one", "[layout][compile][law]") {
  RandomLayouts random(11);
  for (int n = 0; n < 20000; ++n) {
    const ComposedLayout layout(Swizzle(random.below(3), random.below(4), 3), random.below(2) * 16,
                                random.layout(4, 200));
    const CompiledLayout compiled = compile(layout);
    const Index count = size(layout);
    const Index first = random.below(static_cast<int>(count));
    std::vector<Index> wide(static_cast<std::size_t>(count - first));
    std::vector<std::int32_t> narrow(wide.size());
    compiled.offsets(first, std::span<Index>(wide));
    compiled.offsets(first, std::span<std::int32_t>(narrow));
    INFO(layout);
    for (std::size_t i = 0; i < wide.size(); ++i) {
      REQUIRE(wide[i] == layout(first + static_cast<Index>(i)));
      REQUIRE(narrow[i] == wide[i]);
    }
  }
  const CompiledLayout small = compile(ComposedLayout("8:1"));
  std::vector<Index> out(9);
  CHECK(refusal_of([&] {
          small.offsets(0, std::span<Index>(out));
          return 0;
        }).code == ErrorCode::out_of_range);
}

TEST_CASE("conversion between random power-of-two layouts moves every element",
          "[layout][xor][law]") {
  RandomLayouts random(12);
  for (int n = 0; n < 5000; ++n) {
    const int bits = 1 + random.below(8);
    const auto swizzled = [&] {
      return ComposedLayout(Swizzle(2, random.below(3), random.below(2) == 0 ? 3 : -3), 0,
                            random.power_of_two_layout(bits, 8));
    };
    const ComposedLayout from = swizzled();
    const ComposedLayout to = swizzled();
    const XorForm moved = conversion(from, to);
    INFO(from << " -> " << to);
    for (Index i = 0; i < size(from); ++i) REQUIRE(moved(from(i)) == to(i));
    const auto back = to_layout(*xor_form(from));
    REQUIRE(back);
    for (Index i = 0; i < size(from); ++i) REQUIRE((*back)(i) == from(i));
  }
}

// Explanations are held to what a plain count over all elements says.
#include <jute/layout/explain.hpp>

#include <algorithm>
#include <set>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

bool says(const Explanation& facts, const std::string& part) {
  return std::ranges::any_of(facts.words, [&](const std::string& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("a row-major tile in shared memory is explained", "[layout][explain]") {
  const Explanation facts = explain(ComposedLayout("(8,64):(64,1)"), {16, 32});
  CHECK(facts.size == 512);
  CHECK(facts.cosize == 512);
  CHECK(facts.injective == true);
  CHECK(facts.gaps == 0);
  CHECK(facts.inverse == "(64,8):(8,1)");
  CHECK(facts.vector_elems == 1);
  REQUIRE(facts.accesses.size() == 1);
  CHECK(facts.accesses[0].banks.cycles == 8);  // 8 rows of 128 bytes meet in one bank
  CHECK(says(facts, "512 elements in 2 modes"));
  CHECK(says(facts, "each reached once"));
  CHECK(says(facts, "banks conflict"));
}

TEST_CASE("a layout without an extent is explained as its one element", "[layout][explain]") {
  for (const char* layout : {"():()", "((),()):((),())", "Sw<1,0,1>o0o():()"}) {
    const Explanation facts = explain(ComposedLayout(layout), {16, 32});
    CHECK(facts.size == 1);
    CHECK(facts.words.at(0) == "1 element: without an extent there is the empty coordinate alone.");
  }
  CHECK(says(explain(ComposedLayout("1:0"), {16, 32}), "1 element in 1 mode"));
}

TEST_CASE("a swizzle is told to spread the rows", "[layout][explain]") {
  // (row, chunk of 8): threads take chunks down the rows.
  const Explanation plain = explain(ComposedLayout("((8,8),8):((64,8),1)"), {16, 64});
  const Explanation swizzled =
      explain(ComposedLayout("Sw<3,3,3>o0o((8,8),8):((64,8),1)"), {16, 64});
  REQUIRE(plain.is_thread_value);
  REQUIRE(swizzled.vector_elems == 8);
  CHECK(plain.accesses.back().bytes == 16);
  CHECK(plain.accesses.back().banks.cycles > plain.accesses.back().banks.ideal_cycles);
  CHECK(swizzled.accesses.back().banks.cycles == swizzled.accesses.back().banks.ideal_cycles);
  CHECK(says(swizzled, "The swizzle Sw<3,3,3>"));
  CHECK(says(swizzled, "no bank conflict"));
}

TEST_CASE("who has which element follows the threads", "[layout][explain]") {
  const Explanation values = explain(ComposedLayout("((4,8),(2,2)):((32,1),(16,8))"), {32, 32});
  CHECK(values.is_thread_value);
  CHECK(values.offsets.at(1) == std::vector<Index>{32, 48, 40, 56});
  const Explanation dealt = explain(ComposedLayout("256:1"), {32, 32});
  CHECK(dealt.vector_elems == 4);
  CHECK(dealt.offsets.at(1) == std::vector<Index>{4, 5, 6, 7, 132, 133, 134, 135});
  CHECK(dealt.accesses.back().sectors == dealt.accesses.back().ideal_sectors);
}

TEST_CASE("sharing, gaps and inverses are those of a count", "[layout][explain][law]") {
  for (const char* text :
       {"(4,8):(8,1)", "(4,8):(0,1)", "(4,8):(2,16)", "(2,2):(1,1)", "8:3", "(4,4):(1,4)",
        "Sw<2,0,2>o0o(4,4):(4,1)", "1:0", "(3,5):(5,1)", "(4,8):(-8,1)", "4:-1", "(4,2):(-2,-1)"}) {
    INFO(text);
    const ComposedLayout layout(text);
    const Explanation facts = explain(layout, {32, 4});
    std::set<Index> offsets;
    for (Index i = 0; i < size(layout); ++i) offsets.insert(layout(i));
    CHECK(facts.injective == (static_cast<Index>(offsets.size()) == size(layout)));
    CHECK(facts.cosize == *offsets.rbegin() + 1);
    CHECK(facts.least == std::min<Index>(0, *offsets.begin()));
    if (facts.injective.value_or(false))
      CHECK(facts.gaps == facts.cosize - facts.least - size(layout));
    if (!facts.inverse) continue;
    const Layout inverse(*facts.inverse);
    for (Index i = 0; i < size(layout); ++i) CHECK(inverse(layout(i)) == i);
  }
}

TEST_CASE("a layout that counts backwards costs what its mirror image does", "[layout][explain]") {
  const Explanation down = explain(ComposedLayout("(32,4):(-4,-1)"), {32, 32});
  CHECK(says(down, "Offsets lie in -127…0, each reached once"));
  CHECK(!down.inverse);
  const Explanation up = explain(ComposedLayout("(32,4):(4,1)"), {32, 32});
  REQUIRE(!down.accesses.empty());
  CHECK(down.accesses.front().banks.cycles == up.accesses.front().banks.cycles);
  CHECK(down.accesses.front().lanes == 32);
}

TEST_CASE("places in a tile are no addresses, and cost nothing by themselves",
          "[layout][explain]") {
  const ComposedLayout layout("((4,8),(2,2,2)):((32,1),(16,8,128))");
  const Explanation places = explain(layout, {16, 32, OffsetMeaning::places});
  CHECK(places.accesses.empty());
  CHECK(says(places, "m + M*k, not addresses"));
  CHECK(!says(places, "bank"));
  CHECK(says(explain(layout, {16, 32, OffsetMeaning::bits}), "Offsets count bits"));
  CHECK(says(explain(layout, {16, 32}), "bank"));
}

TEST_CASE("who the threads are is said with its reason", "[layout][explain]") {
  CHECK(says(explain(ComposedLayout("(32,8):(8,1)"), {16, 32}),
             "Mode 0 has as many elements as there are threads, 32"));
  CHECK(says(explain(ComposedLayout("(32,8):(8,1)"), {16, 16}),
             "The 16 threads take vectors of consecutive coordinates in turn"));
}

TEST_CASE("what cannot be explained is refused", "[layout][explain][refusal]") {
  CHECK(test::refusal_of([] { return explain(ComposedLayout("4194304:1"), {}); }).code ==
        ErrorCode::out_of_range);
  CHECK(test::refusal_of([] {
          return explain(ComposedLayout("4:1"), {32, 0});
        }).nearest_legal == "1");
  CHECK(test::refusal_of([] {
          return explain(ComposedLayout("4:1"), {0, 1});
        }).nearest_legal == "1");
}

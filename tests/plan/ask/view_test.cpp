// Views: the one function that many texts mean, what they may not say, and that they read back.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/view.hpp>
#include <jute/plan/ask/view_together.hpp>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/random_view.hpp"
#include "support/refusal.hpp"

using namespace jute;
using test::Oddity;
using test::ViewDraw;

namespace {

struct Extents {
  Index rows, columns, batch;
};

Problem with_a(const View& view, const Extents& extents) {
  Problem problem{.m = extents.rows, .n = 8, .k = extents.columns, .batch = extents.batch};
  problem.a.view = view;
  return problem;
}

std::vector<Index> elements(const View& view, const Extents& extents) {
  const ViewModes modes = modes_of(view);
  std::vector<Index> list;
  for (Index matrix = 0; matrix < extents.batch; ++matrix)
    for (Index column = 0; column < extents.columns; ++column)
      for (Index row = 0; row < extents.rows; ++row)
        list.push_back(modes.element(row, column, matrix).value_or(-1));
  return list;
}

Problem parsed(const std::string& text) { return completed(parse_problem(text)); }

}  // namespace

TEST_CASE("a View is a layout from an operand's coordinates to its elements", "[view]") {
  const View blocks = parse_view("((64,8),128):((128,65536),1)");
  const ViewModes modes = modes_of(blocks);
  CHECK(modes.element(0, 0, 0) == 0);
  CHECK(modes.element(63, 5, 0) == 63 * 128 + 5);
  CHECK(modes.element(64, 0, 0) == 65536);
  CHECK(span_elems(blocks) == 7 * 65536 + 63 * 128 + 127 + 1);
}

TEST_CASE("coordinates outside a padded box have no element", "[view]") {
  // A row of five places, three neighbours of each, zeros on both sides.
  const View window = parse_view("(5,3):(1@0,1@0);box=(5):(2);origin=(-1);outside=zero");
  const ViewModes modes = modes_of(window);
  CHECK_FALSE(modes.element(0, 0, 0));
  CHECK(modes.element(0, 1, 0) == 0);
  CHECK(modes.element(4, 1, 0) == 8);
  CHECK_FALSE(modes.element(4, 2, 0));
  CHECK(span_elems(window) == 9);
}

TEST_CASE("what order and strides say becomes order and strides", "[view]") {
  CHECK(parsed("M=64 N=8 K=32 A=f16:view[(64,32):(32,1)]") == parsed("M=64 N=8 K=32 A=f16:row"));
  CHECK(parsed("M=64 N=8 K=32 A=f16:view[(64,32):(1,72)]") ==
        parsed("M=64 N=8 K=32 A=f16:col:ld72"));
  // B's View has (N,K).
  CHECK(parsed("M=64 N=8 K=32 A=f16 B=view[(8,32):(1,8)]") == parsed("M=64 N=8 K=32 A=f16 B=row"));
  CHECK(parsed("M=64 N=8 K=32 A=f16 B=view[((2,4),(4,8)):((32,64),(1,4))]") ==
        parsed("M=64 N=8 K=32 A=f16 B=col"));
  CHECK(parsed("M=64 N=8 K=32 batch=3 A=f16:view[(64,32):(32,1)]") ==
        parsed("M=64 N=8 K=32 batch=3 A=f16:broadcast"));
  CHECK(parsed("M=64 N=8 K=32 batch=3 A=f16 D=view[(64,8,3):(24,1,8)]") !=
        parsed("M=64 N=8 K=32 batch=3 A=f16"));
  CHECK_FALSE(parsed("M=64 N=8 K=32 A=f16:view[(64,32):(64@0,2@0);box=(4096):(1)]").a.view ==
              std::nullopt);
}

TEST_CASE("one meaning has one canonical View", "[view]") {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    ViewDraw draw(seed);
    const Extents extents{draw.extent(24), draw.extent(24), 1 + draw.below(3)};
    const View one = draw.view(extents.rows, extents.columns, extents.batch, Oddity::any),
               other = draw.in_other_words(one);
    INFO(seed << ": " << to_string(one) << " and " << to_string(other));
    REQUIRE(elements(one, extents) == elements(other, extents));
    const Problem first = completed(with_a(one, extents));
    REQUIRE(first == completed(with_a(other, extents)));
    REQUIRE(completed(first) == first);
    REQUIRE(parse_view(to_string(one)) == one);
    const View shortest = canonical(one);
    REQUIRE(elements(shortest, extents) == elements(one, extents));
    REQUIRE(completed(parse_problem(to_string(first))).a == first.a);
  }
}

TEST_CASE("canonical Views with padding mean what they meant", "[view]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    ViewDraw draw(seed);
    const Extents extents{draw.extent(12), draw.extent(12), 1 + draw.below(2)};
    const View view = draw.padded_view(extents.rows, extents.columns, extents.batch);
    INFO(seed << ": " << to_string(view));
    const Problem problem = completed(with_a(view, extents));
    REQUIRE(elements(canonical(view), extents) == elements(view, extents));
    REQUIRE(completed(parse_problem(to_string(problem))).a == problem.a);
  }
}

TEST_CASE("a D that aliases itself is refused with the coordinates that meet", "[view]") {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    ViewDraw draw(seed);
    const Extents extents{draw.extent(12), draw.extent(12), 1 + draw.below(3)};
    Problem problem{.m = extents.rows, .n = extents.columns, .k = 8, .batch = extents.batch};
    problem.d.view = draw.view(extents.rows, extents.columns, extents.batch,
                               draw.one_in(2) ? Oddity::any : Oddity::places_of_their_own);
    INFO(to_string(*problem.d.view));
    const std::vector<Index> all = elements(*problem.d.view, extents);
    const bool is_legal = std::set(all.begin(), all.end()).size() == all.size();
    refused += !is_legal;
    if (is_legal)
      REQUIRE_NOTHROW(completed(problem));
    else
      REQUIRE_THROWS_AS(completed(problem), Exception);
  }
  CHECK(refused > 50);
  const Error error =
      test::refusal_of([] { return parsed("M=4 N=8 K=8 D=f32:view[(4,8):(4,1)]"); });
  CHECK(error.operand == "D.view");
  CHECK(error.value == "coordinates (1,0,0) and (0,4,0)");
}

TEST_CASE("a View that breaks a rule is refused with what would be legal", "[view]") {
  const auto refused = [](const std::string& a, const std::string& value) {
    INFO(a);
    const Error error = test::refusal_of([&] { return parsed("M=4 N=8 K=8 A=f32:" + a); });
    CHECK(error.code == ErrorCode::illegal_problem);
    CHECK(error.operand == "A.view");
    CHECK(error.value == value);
  };
  refused("view[(4,6):(8,1)]", "(4,6)");
  refused("view[(4,8):(-8,1)]", "-24 of coordinate (3,0,0)");
  refused("view[(4,8):(1@0,1@1);box=(4,8):(-8,1)]", "(4):(-8)");
  refused("view[(4,8):(1@0,1@1);box=(4,7):(8,1)]", "7 of coordinate (0,7,0)");
  refused("view[(4,8):(8,1)]:ld16", "(4,8):(8,1)");
  const std::string padded = "view[(4,8):(1@0,1@1);box=(4,8):(8,1);outside=zero]";
  CHECK(test::refusal_of([&] { return parsed("M=4 N=8 K=8 D=f32:" + padded); }).operand ==
        "D.view");
  CHECK(test::refusal_of([] { return parsed("M=4 N=8 K=8 A=c64"); }).violated_rules.front() ==
        rule_of_complex_types());
  // With the origin that the refusal names it is legal, and rows run backwards.
  CHECK(parsed("M=4 N=8 K=8 A=f32:view[(4,8):(-8,1);origin=(24)]").a.view.has_value());
}

TEST_CASE("threads take together what lies side by side, along a copy's rows or across them",
          "[view]") {
  const auto of = [](const char* view, RowsOfCopy rows, int width = 2, int alignment = 16) {
    return view_together(parse_view(view), rows, width, alignment);
  };
  using enum RowsOfCopy;
  CHECK(of("((48,64),768):((49152,1),64)", along_columns) ==
        ViewTogether{.elems = 8, .across = AcrossRows{48, 0, 4}});
  CHECK(of("((48,64),768):((49152,1),64)", along_rows) == ViewTogether{});
  CHECK(of("((48,48),(24,24)):((24,27648),(1,1152))", along_columns) == ViewTogether{.elems = 8});
  CHECK(of("((48,48),(24,24)):((24,27648),(1,1152))", along_columns, 2, 4) ==
        ViewTogether{.elems = 2});
  CHECK(of("((2,8,6),40):((2560,1,8),64)", along_columns) ==
        ViewTogether{.elems = 8, .across = AcrossRows{2, 8, 1}});
  CHECK(of("(96,64):(1,100)", along_columns, 1) ==
        ViewTogether{.elems = 4, .across = AcrossRows{1, 0, 4}});
  CHECK(of("(4,4096):(12288,3)", along_columns) == ViewTogether{.step = 3});
  CHECK(of("(4,4096):(12289,3)", along_columns) == ViewTogether{});
  CHECK(of("(4,4096):(12288,3);numbers=run-time", along_columns) == ViewTogether{});
}

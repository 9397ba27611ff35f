// The text of a contraction: what it may say, and where it may not.
#include <jute/plan/notation/subscripts.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

TEST_CASE("a contraction's text has letters for each operand and the result",
          "[plan][contraction]") {
  const Subscripts read = parse_subscripts(" aBk , kcd -> acdB ");
  CHECK(read.operands == std::vector<std::string>{"aBk", "kcd"});
  CHECK(read.result == "acdB");
  CHECK(to_string(read) == "aBk,kcd->acdB");
  CHECK(parse_subscripts(to_string(read)) == read);
}

TEST_CASE("without an arrow the result has the letters that stand once", "[plan][contraction]") {
  CHECK(parse_subscripts("ij,jk").result == "ik");
  CHECK(parse_subscripts("bZ,ba").result == "Za");
  CHECK(parse_subscripts("ii").result == "");
  CHECK(to_string(parse_subscripts("k...,jk")) == "k...,jk->...j");
  CHECK(to_string(parse_subscripts("")) == "->");
}

TEST_CASE("an ellipsis stands for the axes that letters leave, the last ones shared",
          "[plan][contraction]") {
  const Subscripts read = parse_subscripts("...ij,j...->...i");
  const std::size_t ranks[] = {4, 2};
  CHECK(to_string(with_ranks(read, ranks)) == "01ij,j1->01i");
  const std::size_t none[] = {2, 1};
  CHECK(to_string(with_ranks(read, none)) == "ij,j->i");
}

TEST_CASE("a text that is none is refused where it goes wrong", "[plan][contraction][refusal]") {
  struct Case {
    const char* text;
    const char* value;
    int column;
  };
  for (const Case& one :
       {Case{"ab,b1->a", "1", 5}, Case{"ab,bc->acc", "c", 10}, Case{"ab,bc->ad", "d", 9},
        Case{"......,a", "...", 4}, Case{"a..b,b", ".", 2}, Case{"ab->a->b", "-", 6},
        Case{"ab,bc->...", "...", 8}, Case{"a,a,a,a,a,a,a,a,a,a,a,a,a->", "13", 1}}) {
    INFO(one.text);
    const Error error = test::refusal_of([&] { return parse_subscripts(one.text); });
    CHECK(error.code == ErrorCode::syntax);
    CHECK(error.value == one.value);
    REQUIRE(error.position);
    CHECK(error.position->column == one.column);
  }
}

TEST_CASE("a refused text is shown with its place, a character whole",
          "[plan][contraction][refusal]") {
  const Error error = test::refusal_of([] { return parse_subscripts("aé,jk->k"); });
  CHECK(error.value == "é");
  CHECK(error.detail == "aé,jk->k\n ^");
  CHECK(test::refusal_of([] { return parse_subscripts("a\xff,jk->k"); }).value == "?");
  const std::vector<std::size_t> ranks{1, 1};
  CHECK(test::refusal_of([&] { return with_ranks(parse_subscripts(",a"), ranks); })
            .violated_rules.front()
            .starts_with("it must have no axes"));
}

TEST_CASE("an operand needs an axis for each letter", "[plan][contraction][refusal]") {
  const auto refused = [](const char* text, std::vector<std::size_t> ranks) {
    return to_string(test::refusal_of([&] { return with_ranks(parse_subscripts(text), ranks); }));
  };
  CHECK(
      refused("ij,jk", {2, 3}) ==
      "operand 2 = 3 axes: it must have exactly 2 axes, one for each letter of jk (nearest legal: "
      "2 axes)");
  CHECK(refused("...ij,jk", {1, 2}) ==
        "operand 1 = 1 axes: it must have at least 2 axes, one for each letter of ...ij (nearest "
        "legal: 2 axes)");
  CHECK(refused("...i,i", {12, 1}) ==
        "operand 1 = 12 axes: an ellipsis must stand for at most 10 axes (nearest legal: 11 axes)");
  CHECK(refused("ij,jk", {2}) ==
        "contraction = 1 arrays: ij,jk->ik needs one array for each operand (nearest legal: 2 "
        "arrays)");
}

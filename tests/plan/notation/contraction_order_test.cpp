// Many arrays as a chain of pairs: the same sums, at the least cost.
#include <jute/plan/notation/contraction_order.hpp>

#include <numeric>

#include "support/catch.hpp"
#include "support/random_contraction.hpp"

using namespace jute;
using test::PlainArray;
using test::RandomContraction;

namespace {

std::vector<std::string> steps_of(const char* text, std::vector<std::vector<Index>> extents) {
  std::vector<StridedArray> arrays;
  for (std::vector<Index>& one : extents) arrays.push_back({std::move(one), {}});
  std::vector<std::string> words;
  for (const ContractionStep& step : contraction_order(parse_subscripts(text), arrays)) {
    std::string operands;
    for (const std::size_t operand : step.operands) operands += std::to_string(operand) + " ";
    words.push_back(operands + to_string(step.subscripts));
  }
  return words;
}

/// The chain, each pair by a loop over its letters.
PlainArray by_steps(const RandomContraction& made) {
  std::vector<PlainArray> arrays = made.plain;
  for (const ContractionStep& step :
       contraction_order(parse_subscripts(made.text), made.operands)) {
    std::vector<PlainArray> pair;
    for (const std::size_t operand : step.operands) pair.push_back(arrays.at(operand));
    arrays.push_back(test::plain_einsum(to_string(step.subscripts), pair));
    CHECK(arrays.back().extents == step.extents);
  }
  return arrays.back();
}

}  // namespace

TEST_CASE("a chain of matrices is multiplied from its narrow end", "[plan][contraction]") {
  CHECK(steps_of("ab,bc,cd->ad", {{1000, 1000}, {1000, 1000}, {1000, 1}}) ==
        std::vector<std::string>{"1 2 bc,cd->bd", "0 3 ab,bd->ad"});
  CHECK(steps_of("ab,bc,cd->ad", {{1, 1000}, {1000, 1000}, {1000, 1000}}) ==
        std::vector<std::string>{"0 1 ab,bc->ac", "3 2 ac,cd->ad"});
}

TEST_CASE("arrays that share no letter meet as late as pays", "[plan][contraction]") {
  CHECK(steps_of("ab,cd,bc->ad", {{8, 64}, {64, 64}, {64, 64}}) ==
        std::vector<std::string>{"0 2 ab,bc->ac", "3 1 ac,cd->ad"});
}

TEST_CASE("one or two operands are one product", "[plan][contraction]") {
  CHECK(steps_of("ij->ji", {{4, 8}}) == std::vector<std::string>{"0 ij->ji"});
  CHECK(steps_of("ij,jk->ik", {{4, 8}, {8, 2}}) == std::vector<std::string>{"0 1 ij,jk->ik"});
}

TEST_CASE("300 random chains of up to five arrays are what one loop makes of them",
          "[plan][contraction][random]") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const RandomContraction made =
        test::random_contraction(seed, {.most_operands = 5, .most_extent = 4});
    INFO("seed " << seed << ": " << made.text);
    const PlainArray whole = test::plain_einsum(made.text, made.plain), steps = by_steps(made);
    CHECK(steps.extents == whole.extents);
    CHECK(steps.values == whole.values);
  }
}

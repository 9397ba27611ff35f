// Elements of D that two problems write: found by digits, held against all coordinates.
#include "plan/ask/parts/shared_element.hpp"

#include <jute/plan/notation/convolution.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/ask/digits/digit_sums.hpp"
#include "support/catch.hpp"
#include "support/random_view.hpp"

namespace jute::test {
namespace {

/// A D whose coordinates have elements of their own; its View has more rows than it at times.
Problem drawn_part(ViewDraw& draw) {
  Problem problem;
  problem.k = 4;
  problem.n = 1 + draw.below(6);
  problem.batch = 1 + draw.below(2);
  const Index rows = 1 + draw.below(12);
  problem.m = draw.one_in(3) ? draw.below(rows + 1) : rows;
  View view = draw.view(rows, problem.n, problem.batch, Oddity::places_of_their_own);
  if (view.origin.empty()) view.origin = {0};
  view.origin.front() += draw.below(60);
  problem.d.view = std::move(view);
  return completed(problem);
}

/// Every element that a problem writes, with its coordinate.
std::map<Index, std::string> elements_of(const Problem& problem) {
  std::map<Index, std::string> elements;
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index m = 0; m < problem.m; ++m)
      for (Index n = 0; n < problem.n; ++n) {
        const Matrix& d = problem.d;
        const Index plain = (d.order == Order::row ? m * d.ld_elems + n : m + n * d.ld_elems) +
                            batch * d.batch_stride_elems;
        elements[d.view ? *modes_of(*d.view).element(m, n, batch) : plain] =
            "(" + std::to_string(m) + "," + std::to_string(n) + "," + std::to_string(batch) + ")";
      }
  return elements;
}

/// Is what is found there, and all that is there found?
void check_against_all(const Problem& one, const Problem& other) {
  INFO(to_string(one) << "\n" << to_string(other));
  const auto first = elements_of(one), second = elements_of(other);
  bool is_shared = false;
  for (const auto& [element, coordinate] : first) is_shared = is_shared || second.contains(element);
  const plan::SharedElementSearch search = plan::shared_element(one, other);
  REQUIRE(!search.is_undecided);
  REQUIRE(search.found.has_value() == is_shared);
  if (!search.found) return;
  CHECK(first.at(search.found->element) == search.found->one);
  CHECK(second.at(search.found->element) == search.found->other);
}

}  // namespace

TEST_CASE("two D share an element where digits say so, and nowhere else", "[plan][parts][law]") {
  ViewDraw draw(74);
  std::vector<Problem> drawn_ones;
  for (int i = 0; i < 40; ++i) drawn_ones.push_back(drawn_part(draw));
  // Plain ones of both orders, of a batch, of no rows.
  for (const char* const text :
       {"M=3 N=4 K=4 batch=2 D=f32:row:ld9:batch40", "M=5 N=2 K=4 D=f32:col:ld11", "M=0 N=4 K=4"})
    drawn_ones.push_back(completed(parse_problem(text)));
  int shared = 0, apart = 0;
  for (const Problem& one : drawn_ones)
    for (const Problem& other : drawn_ones) {
      check_against_all(one, other);
      (plan::shared_element(one, other).found ? shared : apart) += 1;
    }
  CHECK(shared > 300);
  CHECK(apart > 300);
}

TEST_CASE("parts of great gradients share nothing, which is told at once", "[plan][parts]") {
  for (const char* const text :
       {"x=32x224x224x64 w=64x7x7 stride=2 padding=3", "x=64x57x57x256 w=512x3x3 stride=3,2",
        "x=16x32x64x64x64 w=128x3x3x3 stride=2 padding=1"}) {
    const std::vector<Problem> parts = convolution_data_gradient(parse_convolution(text), {});
    REQUIRE(parts.size() > 1);
    for (std::size_t i = 1; i < parts.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto search = plan::shared_element(completed(parts[i]), completed(parts[j]));
        CHECK(!search.found);
        CHECK(!search.is_undecided);
      }
  }
}

TEST_CASE("digits that add up to a sum are found, whatever their signs", "[plan][parts]") {
  using plan::WeighedDigit;
  const std::vector<WeighedDigit> places{{-6, 0, 3}, {4, -2, 1}, {6, 1, 2}, {0, 5, 7}};
  for (Index sum = -60; sum <= 60; ++sum) {
    bool is_there = false;
    for (Index a = 0; a <= 3; ++a)
      for (Index b = -2; b <= 1; ++b)
        for (Index c = 1; c <= 2; ++c) is_there = is_there || -6 * a + 4 * b + 6 * c == sum;
    const plan::DigitSum found = plan::digits_of_sum(places, sum);
    REQUIRE(found.digits.has_value() == is_there);
    if (!found.digits) continue;
    Index got = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Index digit = (*found.digits)[i];
      CHECK(digit >= places[i].least);
      CHECK(digit <= places[i].most);
      got += digit * places[i].weight;
    }
    CHECK(got == sum);
  }
  const std::vector<WeighedDigit> none{{1, 2, 1}};
  CHECK(!plan::digits_of_sum(none, 1).digits);
  CHECK(plan::digits_of_sum({}, 0).digits.has_value());
  CHECK(!plan::digits_of_sum({}, 1).digits);
}

}  // namespace jute::test

// Contractions as Problems: plain ones are plain, all are what a loop over every letter makes.
#include <jute/plan/notation/contraction.hpp>

#include <algorithm>
#include <cctype>

#include "support/catch.hpp"
#include "support/random_contraction.hpp"

using namespace jute;
using test::RandomContraction;

namespace {

Contraction packed(const char* text, std::vector<std::vector<Index>> extents,
                   const Problem& like = {}) {
  std::vector<StridedArray> arrays;
  for (std::vector<Index>& one : extents) arrays.push_back({std::move(one), {}});
  return contraction(parse_subscripts(text), arrays, like);
}

Problem plain(Index m, Index n, Index k) {
  Problem problem;
  problem.m = m, problem.n = n, problem.k = k;
  return problem;
}

/// D by the operands' Views; one of no elements has none.
std::vector<double> by_views(const Problem& problem, const std::vector<double>& a,
                             const std::vector<double>& b, std::size_t elements) {
  std::vector<double> d(elements);
  if (!problem.d.view || problem.k == 0) return d;
  const ViewModes of_a = modes_of(*problem.a.view), of_b = modes_of(*problem.b.view),
                  of_d = modes_of(*problem.d.view);
  const auto at = [](const ViewModes& view, Index row, Index column, Index matrix) {
    return static_cast<std::size_t>(view.element(row, column, matrix).value());
  };
  for (Index batch = 0; batch < problem.batch; ++batch)
    for (Index m = 0; m < problem.m; ++m)
      for (Index n = 0; n < problem.n; ++n)
        for (Index k = 0; k < problem.k; ++k)
          d.at(at(of_d, m, n, batch)) += a.at(at(of_a, m, k, batch)) * b.at(at(of_b, n, k, batch));
  return d;
}

}  // namespace

TEST_CASE("where nothing is summed D still lies as it was said", "[plan][contraction]") {
  const std::vector<StridedArray> operands{{{3, 0}, {}}, {{0, 4}, {}}};
  const std::vector<Index> strides{6, 2};
  const Problem problem =
      contraction(parse_subscripts("mk,kn->nm"), operands, plain(0, 0, 0), strides).problem;
  CHECK((problem.m == 4 && problem.n == 3 && problem.k == 0));
  CHECK(to_string(problem.d.view.value()) == "(4,3):(6,2)");
  CHECK(!problem.a.view);
}

TEST_CASE("letters that say a plain product are one", "[plan][contraction]") {
  CHECK(completed(packed("ik,kj->ij", {{64, 32}, {32, 48}}).problem) ==
        completed(plain(64, 48, 32)));
  // Two letters a side that lie as one; B as torch keeps the weight of a Linear.
  Problem linear = plain(64, 48, 32);
  linear.b.order = Order::col;
  CHECK(completed(packed("xyk,nk->xyn", {{8, 8, 32}, {48, 32}}).problem) == completed(linear));
  Problem batch = plain(128, 256, 32);
  batch.batch = 5;
  batch.a.order = Order::col;
  batch.a.broadcast = true;
  batch.b.order = Order::col;
  CHECK(completed(packed("abk,kcd->acdb", {{5, 256, 32}, {32, 64, 2}}).problem) ==
        completed(batch));
}

TEST_CASE("types go with the operands that they are said of", "[plan][contraction]") {
  Problem like;
  like.a.type = DType::e4m3;
  like.b.type = DType::e5m2;
  like.a.alignment_bytes = 1;
  const Contraction swapped = packed("ik,kj->ji", {{64, 32}, {32, 48}}, like);
  CHECK((swapped.modes.a == 1 && swapped.modes.b == 0));
  CHECK(swapped.problem.a.type == DType::e5m2);
  CHECK(swapped.problem.b.type == DType::e4m3);
  CHECK(swapped.problem.b.alignment_bytes == 1);
  const Contraction lone = packed("ij->ji", {{4, 8}}, like);
  CHECK((lone.modes.a == 1 && lone.problem.a.type == DType::e4m3));
}

TEST_CASE("texts that mean the same are one problem", "[plan][contraction]") {
  const Problem one = completed(packed("abk,kcd->acdb", {{5, 8, 32}, {32, 16, 2}}).problem);
  CHECK(completed(packed("kcd,abk->acdb", {{32, 16, 2}, {5, 8, 32}}).problem) == one);
  CHECK(completed(packed("Qxk,kyz->Qyzx", {{5, 8, 32}, {32, 16, 2}}).problem) == one);
  CHECK(completed(packed("abkl,lkcd->acdb", {{5, 8, 32, 1}, {1, 32, 16, 2}}).problem) == one);
}

TEST_CASE("1000 random texts with other letters and exchanged operands are the same problem",
          "[plan][contraction][random]") {
  const auto renamed = [](std::string letters) {
    for (char& letter : letters)  // capitals become small ones, and the other way round
      if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
        letter = static_cast<char>(letter ^ ('a' ^ 'A'));
    return letters;
  };
  int compared = 0;
  for (std::uint64_t seed = 7001; seed <= 8000; ++seed) {
    const RandomContraction made = test::random_contraction(seed);
    if (made.operands.size() != 2) continue;
    Subscripts text = parse_subscripts(made.text);
    const Problem problem = contraction(text, made.operands).problem;
    if (problem.m == 1 && problem.n == 1) continue;  // the sides are the text's
    for (std::string& letters : text.operands) letters = renamed(letters);
    text.result = renamed(text.result);
    std::swap(text.operands[0], text.operands[1]);
    const Problem other =
        contraction(text, std::vector{made.operands[1], made.operands[0]}).problem;
    INFO("seed " << seed << ": " << made.text);
    CHECK(completed(other) == completed(problem));
    ++compared;
  }
  CHECK(compared > 500);
}

TEST_CASE("500 random contractions are what a loop over every letter makes of them, as Problems",
          "[plan][contraction][random]") {
  for (std::uint64_t seed = 5001; seed <= 5500; ++seed) {
    const RandomContraction made = test::random_contraction(seed);
    INFO("seed " << seed << ": " << made.text);
    const Contraction found = contraction(parse_subscripts(made.text), made.operands);
    const std::vector<double> expected = test::plain_einsum(made.text, made.plain).values;
    std::vector<std::vector<double>> memory = made.memory;
    memory.push_back({1.0});
    CHECK(by_views(found.problem, memory.at(found.modes.a), memory.at(found.modes.b),
                   expected.size()) == expected);
  }
}

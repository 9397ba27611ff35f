// Kernels that many problems share: few texts, of which none says what problems differ in.
#include <jute/codegen/generate.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

constexpr test::ProblemTypes kBf16Both{DType::bf16, DType::bf16};
constexpr Order kOrders[]{Order::row, Order::col};

std::vector<Source> sources_of(const Problem& problem, const char* config = "specialize=generic") {
  return generate(make_plan(problem, device_preset("h200"), parse_config(config)));
}

/// As bench/random_cases.py draws: logarithms of M, N and K uniform in 1…16384, all orders, rows of
/// two in three at multiples of 16 bytes.
std::vector<Problem> random_problems(int count) {
  std::mt19937_64 random(20261122);
  const auto below_one = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  const auto extent = [&] {
    return static_cast<Index>(std::lround(std::exp(below_one() * std::log(16384.0))));
  };
  const auto whole = [](Index value) { return (value + 7) / 8 * 8; };
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    Index m = extent(), n = extent(), k = extent();
    const Order a = kOrders[random() % 2], b = kOrders[random() % 2];
    if (i % 3 != 2) {
      n = whole(n);
      if (a == Order::col) m = whole(m);
      if (a == Order::row || b == Order::col) k = whole(k);
    }
    Problem problem = problem_of(m, n, k, kBf16Both, {a, b});
    problem.beta = Factor::zero;
    problems.push_back(problem);
  }
  return problems;
}

std::size_t texts_of(const std::vector<Problem>& problems, const char* config) {
  std::set<std::string> texts;
  for (const Problem& problem : problems)
    for (const Source& source : sources_of(problem, config)) texts.insert(source.text);
  return texts.size();
}

}  // namespace

TEST_CASE("random problems of all orders share few kernels", "[codegen][shared]") {
  const std::vector<Problem> problems = random_problems(600);
  const std::vector<Problem> first(problems.begin(), problems.begin() + 300);
  CHECK(texts_of(first, "") > 280);
  CHECK(texts_of(first, "specialize=generic") <= 84);
  // Twice as many need a fourth more.
  CHECK(texts_of(problems, "specialize=generic") <= 104);
}

TEST_CASE("a generic kernel's text says nothing of sizes, slices and launches",
          "[codegen][shared]") {
  struct Sizes {
    Index m, n, k;
  };
  // Of each row's problems the first is alike to the others but in what a launch says: slices and
  // none, clusters and none, blocks that walk and one for each tile, an early and a late start of
  // the next.
  const std::vector<Sizes> families[] = {
      {{456, 576, 5992}, {343, 2016, 216}, {579, 1536, 696}, {927, 216, 4928}},  // by TMA
      {{500, 265, 8000}, {300, 267, 4096}, {700, 601, 504}},                     // rows anywhere
      {{3000, 40, 90}, {2000, 48, 62}, {6000, 40, 66}},                          // straight
  };
  for (const std::vector<Sizes>& family : families) {
    std::set<std::string> texts;
    std::set<int> split_k, walking;
    std::set<Index> clusters;
    std::set<Release> releases;
    for (const auto& [m, n, k] : family) {
      const Plan plan = make_plan(problem_of(m, n, k, kBf16Both, {Order::row, Order::col}),
                                  device_preset("h200"), parse_config("specialize=generic"));
      const KernelSchedule& schedule = gemm_step(plan).schedule;
      split_k.insert(schedule.split_k);
      walking.insert(schedule.persistent_blocks);
      clusters.insert(blocks(schedule.cluster));
      releases.insert(schedule.releases);
      texts.insert(generate(plan).back().text);
    }
    CHECK(texts.size() == 1);
    const bool is_straight = family.front().k == 90;
    CHECK((is_straight || (split_k.size() > 1 && walking.size() > 1)));
    CHECK((&family != families || clusters.size() > 1));
    CHECK(releases.size() > 1);
  }
}

TEST_CASE("a generic kernel knows of N and K whether accesses are whole", "[codegen][shared]") {
  const auto text = [](Index n, Index k) {
    return sources_of(problem_of(40, n, k, kBf16Both, {Order::row, Order::col}))[0].text;
  };
  CHECK(text(40, 90).find("K a multiple of 2;") != std::string::npos);
  CHECK(text(40, 90).find("along_k < a_k_left ? kCopyElemsA : 0") != std::string::npos);
  CHECK(text(40, 90) == text(33, 92));
  CHECK(text(40, 90) != text(40, 91));
  CHECK(text(40, 91) == text(40, 93));
}

TEST_CASE("a choice of the caller's holds where kernels are shared", "[codegen][shared]") {
  const Problem problem = problem_of(500, 264, 1000, kBf16Both, {Order::row, Order::col});
  const auto step = [&](const char* config) {
    return gemm_step(make_plan(problem, device_preset("h200"),
                               parse_config(std::string("specialize=generic ") + config)));
  };
  CHECK(step("split_k=7").schedule.split_k == 7);
  CHECK(step("cluster=1x4").schedule.cluster == ClusterShape{1, 4});
  CHECK(step("swapped=on").epilogue.d_order == Order::col);
  CHECK(step("blocks=0").schedule.persistent_blocks == 0);
  CHECK_FALSE(step("blocks=0").schedule.is_generic);
  CHECK(step("reduction=distributed split_k=2").schedule.reduction == SplitK::distributed);
}

// Kernels of a range of M on a real GPU: every width of their tiles, nothing written beside D.
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/gpu.hpp"
#include "support/problem_of.hpp"

#include <jute/device/device.hpp>
#include <jute/gemm/gemm.hpp>

#include <set>
#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char *kPlain = "", *kAlongN = "relu(alpha*acc + bias[n])",
                     *kWithC = "y := alpha*acc + beta*c; d = y*s[n]";

/// What is wrong with D of each M, of plain products or of those that add what lies along N, or C.
std::string wrong_of(const char* text, const std::vector<Index>& rows, Index n, Index k,
                     size_t least_widths) {
  Context context(open_device(), with_kept_kernels());
  std::set<Index> widths;
  std::string wrong;
  for (const Index m : rows) {
    GemmCase one;
    one.problem = problem_of(m, n, k, {DType::bf16, DType::bf16}, {Order::row, Order::col});
    one.problem.m_range = MRange{1, rows.back()};
    one.problem.batch = 1 + m % 2;
    if (*text == 0)
      one.problem.beta = Factor::zero;
    else
      one.problem.epilogue = Epilogue{parse_epilogue(text)};
    one.problem = completed(one.problem);
    widths.insert(prepare(context, one.problem).choice(m).width);
    wrong += describe(one, run_case(context, one, make_data(one)));
  }
  return wrong.empty() && widths.size() < least_widths ? "few widths took part" : wrong;
}

/// Every width of the tiles; slices of K that launches ask for; blocks that walk over tiles.
void expect_widths(const char* text) {
  const auto work = [&] {
    return wrong_of(text, {1, 17, 129, 225, 257, 300, 385, 513, 700}, 1024, 264, 6);
  };
  CHECK(on_gpu(work, 120) == "");
}
void expect_slices(const char* text) {
  const auto work = [&] { return wrong_of(text, {3, 17, 40, 100, 130, 200, 333}, 520, 8192, 3); };
  CHECK(on_gpu(work, 120) == "");
}
/// Rows of more tiles than an H200 has SMs.
void expect_walks(const char* text, const std::vector<Index>& rows) {
  const auto work = [&] { return wrong_of(text, rows, 2048, 328, 3); };
  CHECK(on_gpu(work, 120) == "");
}

}  // namespace

TEST_CASE("kernels of a range are right for every width of their tiles", "[gpu][m_range]") {
  expect_widths(kPlain);
}
TEST_CASE("kernels of a range are right for every width of their tiles with what lies along N",
          "[gpu][m_range]") {
  expect_widths(kAlongN);
}
TEST_CASE("kernels of a range are right for every width of their tiles with C", "[gpu][m_range]") {
  expect_widths(kWithC);
}
TEST_CASE("slices of K that launches ask for add up", "[gpu][m_range]") { expect_slices(kPlain); }
TEST_CASE("slices of K that launches ask for add up with what lies along N", "[gpu][m_range]") {
  expect_slices(kAlongN);
}
TEST_CASE("slices of K that launches ask for add up with C", "[gpu][m_range]") {
  expect_slices(kWithC);
}
TEST_CASE("blocks that walk over tiles of a range's widths leave each whole", "[gpu][m_range]") {
  expect_walks(kPlain, {1201, 1401, 1537});
}
TEST_CASE("blocks that walk over tiles of a range's widths leave each whole with what lies along N",
          "[gpu][m_range]") {
  expect_walks(kAlongN, {1041, 1175, 1201, 1537});
}
TEST_CASE("blocks that walk over tiles of a range's widths leave each whole with C",
          "[gpu][m_range]") {
  expect_walks(kWithC, {1041, 1175, 1201, 1537});
}

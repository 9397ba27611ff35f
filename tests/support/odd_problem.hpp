#pragma once
// Problems that no wide access fits: every leading dimension odd, every base aligned to one
// element.
#include "support/gemm_case.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace jute::test {

inline constexpr int kOddProblems = 300;

/// 16-bit types, whose bases are then multiples of 2 bytes, and 8-bit ones, of 1.
// clang-format off
inline constexpr std::array<CaseTypes, 6> kOddTypes{{
  {DType::bf16, DType::bf16, DType::bf16, DType::bf16, DType::f32},
  {DType::f16,  DType::f16,  DType::f16,  DType::f16,  DType::f32},
  {DType::f16,  DType::f16,  DType::f16,  DType::f16,  DType::f16},
  {DType::bf16, DType::bf16, DType::f32,  DType::f32,  DType::f32},
  {DType::s8,   DType::s8,   DType::s32,  DType::s32,  DType::s32},
  {DType::e4m3, DType::e4m3, DType::bf16, DType::bf16, DType::f32},
}};
// clang-format on

/// Case 0 … kOddProblems-1. Twelve neighbours share orders and so a kernel or two: copied to
/// aligned rows first, or multiplied where they lie.
inline GemmCase odd_case(int index) {
  constexpr int kSharing = 12;
  std::mt19937_64 random(static_cast<std::uint64_t>(index) * 7919 + 3);
  const int group = index / kSharing;
  const CaseTypes& types = kOddTypes[static_cast<size_t>(group) % kOddTypes.size()];
  const auto below = [&](Index count) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(count));
  };
  GemmCase result;
  result.seed = 5'000'000 + static_cast<std::uint64_t>(index);
  result.fill = is_integer(types.a) || index % 3 == 0 ? Fill::integers : Fill::normal;
  result.config.specialize = Specialize::none;
  result.config.pad = index % 2 == 0;
  Problem& problem = result.problem;
  problem.m = 1 + below(160);
  problem.n = 1 + below(160);
  problem.k = 1 + below(200);
  problem.batch = 1 + below(2);
  problem.accumulate = types.accumulate;
  const auto matrix = [&](DType type, bool is_row, Index rows, Index cols) {
    Matrix made;
    made.type = type;
    made.order = is_row ? Order::row : Order::col;
    made.alignment_bytes = width_bytes(type);
    made.ld_elems = ((is_row ? cols : rows) + below(9)) | 1;
    made.batch_stride_elems = (made.ld_elems * (is_row ? rows : cols) + below(9)) | 1;
    return made;
  };
  problem.a = matrix(types.a, (group & 1) == 0, problem.m, problem.k);
  problem.b = matrix(types.b, (group & 2) == 0, problem.k, problem.n);
  problem.c = matrix(types.c, (group & 4) == 0, problem.m, problem.n);
  problem.d = matrix(types.d, group % 3 != 2, problem.m, problem.n);
  result.alpha = result.fill == Fill::integers ? 2.0 : 0.375;
  result.beta = result.fill == Fill::integers ? -1.0 : -2.5;
  return result;
}

/// What went wrong with cases first, first + step, … below `last`, a paragraph each.
inline std::string odd_failures(Context& context, int first, int last, int step = 1) {
  std::string failures;
  for (int index = first; index < last; index += step) {
    const GemmCase gemm_case = odd_case(index);
    const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
    if (!outcome.failures.empty())
      failures += "case " + std::to_string(index) + ": " + describe(gemm_case, outcome) + "\n";
  }
  return failures;
}

}  // namespace jute::test

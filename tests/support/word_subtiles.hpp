#pragma once
// Products of a large D of 32-bit elements, whose stores are most of the work.
#include "support/gemm_case.hpp"
#include "support/problem_of.hpp"

#include <string>

namespace jute::test {

/// What goes wrong with such products of every type that wgmma takes, at edges of tiles.
inline std::string word_subtile_failures(Context& context) {
  struct Row {
    DType type, d;
    Index k;
    double beta;
  };
  constexpr Row kRows[] = {{DType::s8, DType::s32, 64, 0},
                           {DType::tf32, DType::f32, 36, 1},
                           {DType::bf16, DType::f32, 64, 0}};
  std::string failures;
  for (const Row& row : kRows) {
    GemmCase one;
    one.problem = problem_of(4111, 4100, row.k, {row.type, row.d}, {Order::row, Order::col});
    one.beta = row.beta;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    failures += describe(one, outcome);
  }
  return failures;
}

}  // namespace jute::test

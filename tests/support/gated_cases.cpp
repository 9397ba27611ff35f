// Draws extents, orders and epilogues that name gate.
#include "support/gated_cases.hpp"

#include "support/grouped_cases.hpp"

#include <algorithm>
#include <array>

namespace jute::test {
namespace {

constexpr std::array kOfFloats{"silu(gate)*acc", "d = gelu(alpha*gate + b[n])*acc + beta*c",
                               "y := silu(gate)*acc; d = w[m]*y; aux = gate", "relu(gate)*x[m,n]"};
constexpr std::array kOfIntegers{"3*gate - acc", "d = max(gate, 0)*2 + acc"};

}  // namespace

GemmCase gated_case(const CaseTypes& types, int index) {
  // Of its kinds of groups the third cuts B's columns, which are a gate's.
  GemmCase gated = grouped_case(types, index % 5 == 2 ? index + 5000 - 2 : index);
  Problem& problem = gated.problem;
  const bool has_groups = index % 4 == 3;
  if (!has_groups) {
    problem.groups.reset();
    gated.ends.clear();
    problem.batch = std::min<Index>(problem.batch, 3);
  }
  const bool is_whole = is_integer(*problem.accumulate);
  const char* const text = is_whole ? kOfIntegers.at(static_cast<std::size_t>(index) / 2 % 2)
                                    : kOfFloats.at(static_cast<std::size_t>(index) % 4);
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  problem.gate = index % 3 == 0 ? GateColumns::pairs : GateColumns::halves;
  const Index inner = problem.b.order == Order::row ? 2 * problem.n : problem.k;
  const Index padding = std::max<Index>(problem.b.ld_elems - inner / 2, 0) % 17;
  if (problem.b.ld_elems > 0) problem.b.ld_elems = std::max<Index>(inner, 1) + padding;
  const auto names = [&](EpilogueOp op) { return jute::names(problem.epilogue->expression, op); };
  gated.alpha = names(EpilogueOp::alpha) ? 2 : 1;
  if (!names(EpilogueOp::beta)) gated.beta = 0;
  return gated;
}

}  // namespace jute::test

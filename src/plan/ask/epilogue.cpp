// Builds the usual epilogue, and says what epilogues read of C.
#include <jute/plan/ask/epilogue.hpp>

namespace jute {

EpilogueExpression scaled_sum(Factor alpha, Factor beta) {
  EpilogueExpression result;
  std::vector<EpilogueNode>& nodes = result.nodes;
  const auto push = [&](const EpilogueNode& node) {
    nodes.push_back(node);
    return static_cast<int>(nodes.size()) - 1;
  };
  const auto apply = [&](EpilogueOp op, int left, int right) {
    return push({.op = op, .operands = {left, right}});
  };
  int& sum = result.outputs[0].node;
  if (alpha != Factor::one) sum = apply(EpilogueOp::multiply, push({EpilogueOp::alpha}), sum);
  if (beta == Factor::zero) return in_order(result);
  const int factor = push({EpilogueOp::beta}), c = push({EpilogueOp::c});
  sum = apply(EpilogueOp::add, sum, apply(EpilogueOp::multiply, factor, c));
  return in_order(result);
}

namespace {

/// The reading of C that beta*c asks for.
CRead c_read(Factor beta) {
  if (beta == Factor::run_time) return CRead::unless_beta_is_zero;
  return beta == Factor::one ? CRead::always : CRead::never;
}

}  // namespace

CRead c_read(const EpilogueExpression& expression, Factor beta) {
  const CRead read = c_read(expression);
  return read == CRead::unless_beta_is_zero ? c_read(beta) : read;
}

CRead c_read(const Problem& problem) {
  return problem.epilogue ? c_read(problem.epilogue->expression) : c_read(problem.beta);
}

bool reads_c(CRead read, double beta) {
  return read == CRead::always || (read == CRead::unless_beta_is_zero && beta != 0);
}

bool reads_c(const Problem& problem, double beta) { return reads_c(c_read(problem), beta); }

}  // namespace jute

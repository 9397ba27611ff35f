// What of a kept work models read: extents, operands and what sums are kept in.
#include "plan/cost/tiles/work_problem.hpp"

namespace jute::plan {
namespace {

KernelMatrix matrix_of(const WorkMatrix& of) {
  KernelMatrix matrix;
  matrix.type = of.type;
  matrix.major = of.major;
  matrix.ld = of.ld;
  matrix.access_bytes = of.access_bytes;
  matrix.terms = of.terms;
  matrix.boxes = of.boxes;
  return matrix;
}

/// An operand of fewer bits than the 16 of the other is stored so, and becomes what that one is.
void set_stored(KernelMatrix& one, DType other) {
  constexpr int kHalfBits = 16;
  if (width_bits(other) != kHalfBits || width_bits(one.type) >= kHalfBits) return;
  one.stored = StoredOperand{one.type, {}};
  one.type = other;
}

}  // namespace

KernelProblem problem_of(const WorkProblem& work) {
  KernelProblem problem;
  problem.transposed = work.transposed;
  problem.m = work.m;
  problem.n = work.n;
  problem.k = work.k;
  problem.batch = work.batch;
  problem.products = work.products;
  problem.a = matrix_of(work.a);
  problem.b = matrix_of(work.b);
  set_stored(problem.a, work.b.type);
  set_stored(problem.b, work.a.type);
  problem.d = matrix_of(work.d);
  problem.accumulate = work.accumulate;
  problem.launches = work.launches;
  return problem;
}

}  // namespace jute::plan

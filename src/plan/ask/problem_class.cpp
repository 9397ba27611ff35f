// Leaves out what kernels do not depend on.
#include <jute/plan/ask/problem_class.hpp>

#include <algorithm>
#include <numeric>

#include "plan/chip/line.hpp"

namespace jute {
namespace {

constexpr int kVector = 16;  // bytes of the widest access

/// Elements of the greatest power of two up to a line that divides the stride.
Index alignment_of(Index stride_elems, int width) {
  return std::gcd(stride_elems * width, Index{plan::kLine}) / width;
}

}  // namespace

std::string problem_class(const Problem& problem, Launches launches) {
  Problem shape = completed(problem);
  shape.m_range.reset();
  for (Matrix* matrix : {&shape.a, &shape.b, &shape.c, &shape.d}) {
    const int width = width_bytes(matrix->type);  // of 4 bits what a byte has is as good
    matrix->ld_elems = alignment_of(matrix->ld_elems, width);
    matrix->batch_stride_elems =
        shape.batch > 1 ? alignment_of(matrix->batch_stride_elems, width) : 0;
    matrix->alignment_bytes = std::min(matrix->alignment_bytes, kVector);
  }
  return to_string(shape) + (launches == Launches::alone ? " launches=alone" : "");
}

}  // namespace jute

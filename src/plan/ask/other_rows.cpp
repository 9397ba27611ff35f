// A problem for other rows: strides that depend on M follow it.
#include <jute/plan/ask/other_rows.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace jute {
namespace {

/// Vectors have fewer elements than this; a multiple of it is one of all of them.
constexpr Index kMostAligned = 256;

/// Matrices whose places strides say, in one order for all problems of one form.
std::vector<Matrix*> strided_matrices(Problem& problem) {
  std::vector<Matrix*> list;
  for (const TensorRole role : kAllTensors)
    if (Matrix* const matrix = matrix_of(problem, role); matrix != nullptr && !matrix->view)
      list.push_back(matrix);
  return list;
}

/// With the shortest strides.
Problem packed(Problem problem) {
  for (Matrix* matrix : strided_matrices(problem))
    matrix->ld_elems = matrix->batch_stride_elems = 0;
  return completed(problem);
}

/// The shortest stride of so many elements or more that no greater power of two divides than
/// `given`, and no smaller one.
Index aligned_as(Index given, Index least) {
  if (given >= least) return given;
  const Index unit = std::gcd(given, kMostAligned);
  const Index units = (least + unit - 1) / unit;
  return (unit < kMostAligned && units % 2 == 0 ? units + 1 : units) * unit;
}

}  // namespace

Problem for_rows(const Problem& problem, Index m, ShortStrides strides) {
  Problem result = problem;
  result.m_range.reset();
  if (problem.m_range || m == problem.m) {  // they fit the last rows
    result.m = m;
    return result;
  }
  Problem before = packed(result);
  result.m = m;
  Problem after = packed(result);
  const std::vector<Matrix*> own = strided_matrices(result), least = strided_matrices(before),
                             other = strided_matrices(after);
  for (std::size_t i = 0; i < own.size(); ++i) {
    Matrix& matrix = *own[i];
    const bool follows = strides == ShortStrides::packed || problem.batch <= 1;
    const Index outer = other[i]->batch_stride_elems / other[i]->ld_elems;
    const bool is_apart = matrix.batch_stride_elems >= least[i]->batch_stride_elems;
    const bool is_packed = matrix.batch_stride_elems == least[i]->batch_stride_elems;
    matrix.ld_elems = strides == ShortStrides::packed && matrix.ld_elems == least[i]->ld_elems
                          ? other[i]->ld_elems
                          : aligned_as(matrix.ld_elems, other[i]->ld_elems);
    if (matrix.broadcast || !is_apart) continue;
    const Index extent = matrix.ld_elems * outer;
    matrix.batch_stride_elems =
        follows && is_packed ? extent : aligned_as(matrix.batch_stride_elems, extent);
  }
  return result;
}

}  // namespace jute

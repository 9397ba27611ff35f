// Cuts operands where the list does.
#include "bench/plain_parts.hpp"

namespace jute::bench {
namespace {

/// Where a group's matrix begins: in one that all share, at so many rows and columns.
Index bytes_ahead(const Matrix& matrix, Index group, Index rows, Index cols) {
  const Index own = matrix.broadcast ? 0 : group * matrix.batch_stride_elems;
  const Index in_matrix =
      matrix.order == Order::row ? rows * matrix.ld_elems + cols : cols * matrix.ld_elems + rows;
  return (own + in_matrix) * width_bytes(matrix.type);
}

/// The group's extents, by what the list has of it.
Problem problem_of_group(const Problem& problem, Index size) {
  Problem part = problem;
  part.groups.reset();
  part.batch = 1;
  const GroupKind kind = problem.groups->kind;
  (kind == GroupKind::cols ? part.n : kind == GroupKind::k ? part.k : part.m) = size;
  return part;
}

}  // namespace

std::vector<PlainPart> plain_parts(const Problem& problem, std::span<const Index> ends) {
  std::vector<PlainPart> parts;
  if (!problem.groups) return parts;
  const GroupKind kind = problem.groups->kind;
  Index first = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const auto group = static_cast<Index>(i);
    PlainPart part{.problem = problem_of_group(problem, ends[i] - first)};
    const Index m = kind == GroupKind::rows ? first : 0, n = kind == GroupKind::cols ? first : 0,
                k = kind == GroupKind::k ? first : 0;
    part.a = bytes_ahead(problem.a, group, m, k);
    part.b = bytes_ahead(problem.b, group, k, n);
    part.c = bytes_ahead(problem.c, group, m, n);
    part.d = bytes_ahead(problem.d, group, m, n);
    if (part.problem.m > 0 && part.problem.n > 0) parts.push_back(std::move(part));
    if (kind != GroupKind::masked_rows) first = ends[i];
  }
  return parts;
}

}  // namespace jute::bench

// Cuts operands where the list does.
#include "bench/peers/plain_parts.hpp"

namespace jute::bench {
namespace {

/// Where a group's matrix begins: in one that all share, at so many rows and columns.
Index bytes_ahead(const Matrix& matrix, Index group, Index rows, Index cols) {
  const Index own = matrix.broadcast ? 0 : group * matrix.batch_stride_elems;
  const Index in_matrix =
      matrix.order == Order::row ? rows * matrix.ld_elems + cols : cols * matrix.ld_elems + rows;
  return (own + in_matrix) * width_bytes(matrix.type);
}

/// From where to where each group's part lies.
std::vector<GroupRows> ranges_of(const Groups& groups, Index count, std::span<const Index> list) {
  if (groups.entry == GroupEntry::row) return row_groups(list, count).parts;
  std::vector<GroupRows> ranges;
  for (const Index end : list) {
    const bool begins_at_0 = groups.kind == GroupKind::masked_rows || ranges.empty();
    ranges.push_back({begins_at_0 ? 0 : ranges.back().end, end});
  }
  return ranges;
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
  Index group = 0;
  for (const auto& [first, end] : ranges_of(*problem.groups, problem.batch, ends)) {
    PlainPart part{.problem = problem_of_group(problem, end - first)};
    const Index m = kind == GroupKind::rows ? first : 0, n = kind == GroupKind::cols ? first : 0,
                k = kind == GroupKind::k ? first : 0;
    part.a = bytes_ahead(problem.a, group, m, k);
    part.b = bytes_ahead(problem.b, group, k, n);
    part.c = bytes_ahead(problem.c, group, m, n);
    part.d = bytes_ahead(problem.d, group, m, n);
    if (part.problem.m > 0 && part.problem.n > 0) parts.push_back(std::move(part));
    ++group;
  }
  return parts;
}

}  // namespace jute::bench

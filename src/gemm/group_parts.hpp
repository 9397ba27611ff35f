#pragma once
// The part of a problem's extents that each matrix of its batch has: all, or its group's.
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <vector>

namespace jute::gemm {

struct IndexRange {
  Index first = 0, end = 0;
  [[nodiscard]] Index size() const { return end - first; }
  bool operator==(const IndexRange&) const = default;
};
struct GroupPart {
  IndexRange m, n, k;
};

/// The first group, or row, whose entry breaks the rule of the list; none where all keep it.
[[nodiscard]] std::optional<Index> first_fault(const Problem& problem, std::span<const Index> ends);

/// One for each matrix of the batch; none where the list of groups breaks its rule. `problem` is
/// completed.
///   throws  out_of_range: the list has no entry for some group, or row
[[nodiscard]] std::vector<GroupPart> parts_of(const Problem& problem, std::span<const Index> ends);

/// The matrices of D in memory: groups may have parts of one.
[[nodiscard]] inline Index matrices_of_d(const Problem& problem) {
  return problem.d.broadcast ? std::min<Index>(problem.batch, 1) : problem.batch;
}

}  // namespace jute::gemm

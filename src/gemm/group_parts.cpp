// Reads a list of groups as the kernels' rule has it.
#include "gemm/group_parts.hpp"

#include <jute/base/refuse.hpp>

#include <string>

#include "base/format.hpp"

namespace jute::gemm {
namespace {

Index bound_of(const Problem& problem) {
  if (problem.groups->kind == GroupKind::cols) return problem.n;
  return problem.groups->kind == GroupKind::k ? problem.k : problem.m;
}

IndexRange part_of(const Problem& problem, std::span<const Index> ends, std::size_t group) {
  if (problem.groups->kind == GroupKind::masked_rows || group == 0) return {0, ends[group]};
  return {ends[group - 1], ends[group]};
}

bool is_by_row(const Problem& problem) { return problem.groups->entry == GroupEntry::row; }

}  // namespace

std::optional<Index> first_fault(const Problem& problem, std::span<const Index> ends) {
  if (is_by_row(problem)) return row_groups(ends, problem.batch).fault;
  const Index bound = bound_of(problem);
  for (std::size_t group = 0; group < ends.size(); ++group) {
    const auto [first, end] = part_of(problem, ends, group);
    if (first < 0 || end < first || end > bound) return static_cast<Index>(group);
  }
  return std::nullopt;
}

std::vector<GroupPart> parts_of(const Problem& problem, std::span<const Index> ends) {
  const GroupPart whole{{0, problem.m}, {0, problem.n}, {0, problem.k}};
  std::vector<GroupPart> parts(static_cast<std::size_t>(problem.batch), whole);
  if (!problem.groups) return parts;
  if (problem.groups->kind == GroupKind::each)
    jute::refuse(ErrorCode::unsupported, "groups", to_string(*problem.groups),
                 "groups must have parts of shared operands: of each group "
                 "that has its own the plain product is the reference",
                 "rows");
  const Index entries = entries_of(*problem.groups, problem.batch, problem.m);
  if (static_cast<Index>(ends.size()) != entries)
    jute::refuse(ErrorCode::out_of_range, "ends", std::to_string(ends.size()),
                 is_by_row(problem) ? "the list must have an entry for each row"
                                    : "the list must have an entry for each group",
                 std::to_string(entries));
  if (first_fault(problem, ends)) return {};
  const RowGroups rows = is_by_row(problem) ? row_groups(ends, problem.batch) : RowGroups{};
  for (std::size_t group = 0; group < rows.parts.size(); ++group)
    parts[group].m = {rows.parts[group].first, rows.parts[group].end};
  if (is_by_row(problem)) return parts;
  for (std::size_t group = 0; group < parts.size(); ++group) {
    GroupPart& part = parts[group];
    const GroupKind kind = problem.groups->kind;
    (kind == GroupKind::cols ? part.n
     : kind == GroupKind::k  ? part.k
                             : part.m) = part_of(problem, ends, group);
  }
  return parts;
}

}  // namespace jute::gemm

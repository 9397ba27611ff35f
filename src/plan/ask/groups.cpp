// Groups as text, and the rules of a problem that has them.
#include "plan/ask/groups.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "base/format.hpp"

namespace jute {
namespace {

constexpr std::array<std::string_view, 5> kKinds{"rows", "cols", "masked_rows", "k", "each"};
constexpr std::array<std::string_view, 2> kIndices{"i32", "i64"};
constexpr std::string_view kExpected = "expected", kByRow = "by_row", kScaled = "scaled";

std::optional<std::size_t> place_of(std::string_view text, std::span<const std::string_view> list) {
  const auto found = std::ranges::find(list, text);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

[[noreturn]] void refuse_word(ErrorCode code, std::string_view value, std::string rule,
                              std::optional<std::string> nearest = std::nullopt) {
  refuse(code, "groups", std::string(value), std::move(rule), std::move(nearest));
}

/// `i64`, `by_row`, `scaled` or `expected64`.
void read_piece(Groups& groups, std::string_view piece) {
  if (piece == kByRow) {
    groups.entry = GroupEntry::row;
    return;
  }
  if (piece == kScaled) {
    groups.entry = GroupEntry::scaled;
    return;
  }
  if (const auto index = place_of(piece, kIndices)) {
    groups.index = static_cast<GroupIndex>(*index);
    return;
  }
  if (piece.starts_with(kExpected)) {
    const char* const end = piece.data() + piece.size();
    const auto [rest, fault] =
        std::from_chars(piece.data() + kExpected.size(), end, groups.expected);
    if (fault == std::errc() && rest == end) return;
  }
  refuse_word(
      ErrorCode::syntax, piece,
      "groups must say their kind, and may say i32 or i64, by_row and what is expected of one, "
      "as in rows:i64:expected64");
}

}  // namespace

std::string_view name(GroupKind kind) { return kKinds.at(static_cast<std::size_t>(kind)); }
std::string_view name(GroupIndex index) { return kIndices.at(static_cast<std::size_t>(index)); }

GroupKind parse_group_kind(std::string_view text) {
  if (const auto kind = place_of(text, kKinds)) return static_cast<GroupKind>(*kind);
  const std::vector<std::string> known(kKinds.begin(), kKinds.end());
  refuse_word(ErrorCode::unknown_name, text, "a kind of groups must be one of: " + joined(known),
              nearest_name(text, known));
}

Index entry_bytes(const Groups& groups) {
  if (groups.kind == GroupKind::each)
    return groups.entry == GroupEntry::scaled ? sizeof(ScaledGroup) : sizeof(EachGroup);
  return groups.index == GroupIndex::i64 ? 8 : 4;
}
int entry_alignment(const Groups& groups) {
  return static_cast<int>(std::gcd(entry_bytes(groups), Index{8}));
}

std::string to_string(const Groups& groups) {
  std::string text(name(groups.kind));
  if (groups.kind != GroupKind::each) text += base::format(":{}", name(groups.index));
  if (groups.entry == GroupEntry::row) text += base::format(":{}", kByRow);
  if (groups.entry == GroupEntry::scaled) text += base::format(":{}", kScaled);
  return text + base::format(":{}{}", kExpected, groups.expected);
}

Groups parse_groups(std::string_view text) {
  std::size_t colon = std::min(text.find(':'), text.size());
  Groups groups{.kind = parse_group_kind(text.substr(0, colon))};
  while (colon < text.size()) {
    const std::size_t begin = colon + 1;
    colon = std::min(text.find(':', begin), text.size());
    read_piece(groups, text.substr(begin, colon - begin));
  }
  return groups;
}

RowGroups row_groups(std::span<const Index> list, Index groups) {
  RowGroups result{.parts = std::vector<GroupRows>(static_cast<std::size_t>(groups))};
  for (Index row = 0; row < std::ssize(list); ++row) {
    const Index group = list[static_cast<std::size_t>(row)];
    if (group == -1) continue;
    const bool is_group = group >= 0 && group < groups;
    GroupRows none{row, row};
    GroupRows& rows = is_group ? result.parts[static_cast<std::size_t>(group)] : none;
    if (rows.end == 0) rows.first = rows.end = row;
    if (!is_group || rows.end != row) {
      result.fault = row;
      return result;
    }
    ++rows.end;
  }
  return result;
}

namespace plan {
namespace {

/// The extent that groups cut, or of which they have so many first rows.
Index& cut_extent(Problem& problem) {
  switch (problem.groups->kind) {
    case GroupKind::cols:
      return problem.n;
    case GroupKind::k:
      return problem.k;
    case GroupKind::rows:
    case GroupKind::masked_rows:
    case GroupKind::each:
      break;
  }
  return problem.m;
}

bool has_numbers(const OperandScale& scale) { return scale.scale || scale.zero; }

/// Do entries of the list say where numbers of blocks lie?
bool lists_numbers(const Problem& problem) {
  return problem.groups->kind == GroupKind::each &&
         (has_numbers(problem.scale_a) || has_numbers(problem.scale_b));
}

std::vector<BrokenGroupRule> broken_group_rules(const Problem& problem) {
  std::vector<BrokenGroupRule> broken;
  const std::string text = to_string(*problem.groups);
  if (problem.batch < 1 || problem.batch > kMostGroups)
    broken.push_back({"groups", std::to_string(problem.batch),
                      base::format("there must be from 1 to {} groups", kMostGroups),
                      std::to_string(std::clamp<Index>(problem.batch, 1, kMostGroups))});
  if (problem.groups->expected < 0)
    broken.push_back({"groups", std::to_string(problem.groups->expected),
                      "what is expected of a group must not be negative", "0"});
  if (problem.groups->entry == GroupEntry::row && problem.groups->kind != GroupKind::rows)
    broken.push_back(
        {"groups", text, "only groups of rows must have an entry for each row", "rows:by_row"});
  if (problem.groups->entry == GroupEntry::scaled && !lists_numbers(problem))
    broken.push_back({"groups", text,
                      "entries must say where numbers of blocks lie only where operands of groups "
                      "of each have scales or zero points",
                      std::string(name(problem.groups->kind))});
  if (problem.m_range)
    broken.push_back({"m_range", to_string(*problem.m_range),
                      "M must be the bound of all groups: they say themselves how many rows they "
                      "have",
                      std::to_string(problem.m)});
  if (problem.precision != Precision::f32)
    broken.push_back({"precision", std::string(name(problem.precision)),
                      "operands of groups must be multiplied as they are", "f32"});
  for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    if (matrix->view)
      broken.push_back({"groups", text,
                        "operands of groups must lie by order and strides, not by "
                        "Views"});
  if (!problem.epilogue) return broken;
  const EpilogueExpression& expression = problem.epilogue->expression;
  for (const EpilogueOutput& output : expression.outputs)
    if (output.gather != EpilogueGather::elements || is_of_sums(expression, output))
      broken.push_back({output.name, to_string(expression),
                        "outputs of groups must have a value for each element of D"});
  if (names(expression, EpilogueOp::a_sum) || names(expression, EpilogueOp::b_sum))
    broken.push_back({"epilogue", to_string(expression),
                      "an epilogue of groups must not name sums of operands"});
  return broken;
}

}  // namespace

Problem usual_group(const Problem& problem) {
  Problem usual = problem;
  if (problem.groups) cut_extent(usual) = problem.groups->expected;
  return usual;
}

std::vector<BrokenGroupRule> complete_groups(Problem& problem) {
  if (!problem.groups) return {};
  std::vector<BrokenGroupRule> broken = broken_group_rules(problem);
  if (!broken.empty()) return broken;
  Groups& groups = *problem.groups;
  if (lists_numbers(problem)) groups.entry = GroupEntry::scaled;
  if (groups.expected == 0) {
    const Index all = cut_extent(problem);
    const bool is_bound = groups.kind == GroupKind::masked_rows || groups.kind == GroupKind::each;
    groups.expected = is_bound ? all : ceil_div(all, problem.batch);
  }
  groups.expected = std::clamp<Index>(groups.expected, 1, std::max<Index>(cut_extent(problem), 1));
  const auto share = [](Matrix& matrix) { matrix.broadcast = true; };
  const auto share_operand = [&](Matrix& operand, OperandScale& scale) {
    share(operand);
    if (scale.scale) share(*scale.scale);
    if (scale.zero) share(*scale.zero);
  };
  const bool is_k = groups.kind == GroupKind::k;
  if (groups.kind == GroupKind::rows || is_k) share_operand(problem.a, problem.scale_a);
  if (groups.kind == GroupKind::cols || is_k) share_operand(problem.b, problem.scale_b);
  for (Matrix* matrix : {&problem.c, &problem.d})
    if (is_cut(problem, EpilogueExtent::elements)) share(*matrix);
  return {};
}

}  // namespace plan

bool is_cut(const Problem& problem, EpilogueExtent extent) {
  if (!problem.groups) return false;
  const bool has_rows = extent == EpilogueExtent::rows || extent == EpilogueExtent::elements ||
                        extent == EpilogueExtent::blocks;
  const bool has_cols = extent == EpilogueExtent::columns || extent == EpilogueExtent::elements;
  return (problem.groups->kind == GroupKind::rows && has_rows) ||
         (problem.groups->kind == GroupKind::cols && has_cols);
}

}  // namespace jute

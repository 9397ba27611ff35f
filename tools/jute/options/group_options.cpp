// Groups from flags, lists from files or a seed.
#include "options/group_options.hpp"

#include <jute/host/operands.hpp>
#include <jute/host/random_numbers.hpp>

#include <algorithm>

#include "command/command_line.hpp"
#include "files/file_matrix.hpp"
#include "files/npy_file.hpp"

namespace jute::command {

std::string_view cut_word(GroupKind kind) {
  if (kind == GroupKind::each) return "";
  return kind == GroupKind::cols ? "N" : kind == GroupKind::k ? "K" : "M";
}

Index& cut_extent(Problem& problem, GroupKind kind) {
  if (kind == GroupKind::cols) return problem.n;
  return kind == GroupKind::k ? problem.k : problem.m;
}

namespace {

void check_alone(const SaidFlags& said, const GroupLists& lists) {
  const std::pair<const char*, const std::string*> flags[] = {
      {"--count", &said["count"]},       {"--bound", &said["bound"]},
      {"--expected", &said["expected"]}, {"--ends", &lists.ends},
      {"--counts", &lists.counts},       {"--row-groups", &lists.row_groups}};
  for (const auto& [flag, text] : flags)
    if (!text->empty())
      throw UsageError(flag, std::string("it needs --groups, for example --groups ") +
                                 (std::string(flag) == "--counts" ? "masked_rows" : "rows"));
}

}  // namespace

void add_list_flags(Command& command, GroupLists& options, const Words& beside) {
  const OptionGroup group{command, "Groups"};
  group
      .option("--ends ENDS.npy", &options.ends,
              "Where each group ends, running ends in a vector of integers")
      .with(beside);
  group.option("--counts COUNTS.npy", &options.counts, "Of masked rows: how many each group has")
      .with(beside);
  group
      .option("--row-groups GROUPS.npy", &options.row_groups,
              "Of rows: each row's group in a vector of integers, -1 of none")
      .with(beside);
}

std::optional<Groups> groups_of(const SaidFlags& said, const GroupLists& options) {
  const std::string& asked = said["groups"];
  if (asked.empty()) {
    check_alone(said, options);
    return std::nullopt;
  }
  Groups groups = parse_groups(asked);
  const GroupKind kind = groups.kind;
  if (!options.ends.empty() && !options.counts.empty())
    throw UsageError(
        "--counts", "it must stand without --ends: masked_rows have counts, all other groups ends");
  if (!options.row_groups.empty()) {
    if (kind != GroupKind::rows || !options.ends.empty() || !options.counts.empty())
      throw UsageError("--row-groups",
                       "it must stand alone, with --groups rows: it has each row's group");
    groups.entry = GroupEntry::row;
  } else if (groups.entry == GroupEntry::row && !options.ends.empty()) {
    throw UsageError("--ends", "groups of rows:by_row must have --row-groups: each row's group");
  }
  const bool is_masked = kind == GroupKind::masked_rows;
  if (is_masked && !options.ends.empty())
    throw UsageError("--ends", "masked_rows must have --counts: how many rows each group has");
  if (!is_masked && !options.counts.empty())
    throw UsageError("--counts", "groups of " + asked + " must have --ends: where each group ends");
  groups.expected = said.number("expected").value_or(groups.expected);
  return groups;
}

std::optional<Groups> checked_groups(const SaidFlags& said, const GroupLists& lists) {
  std::optional<Groups> groups = groups_of(said, lists);
  if (!groups) return groups;
  if (said["count"].empty()) throw UsageError("--count", "it must be given, for example --count 8");
  if (said.number("batch").value_or(1) != 1)
    throw UsageError("--batch", "it must be left out: --count says how many groups there are");
  if (!said["bound"].empty() && groups->kind == GroupKind::each)
    throw UsageError(
        "--bound",
        "it must stand without --groups each: --m, --n and --k are what a group has at most");
  return groups;
}

void refuse_own_operands(const Problem& problem) {
  if (problem.groups && problem.groups->kind == GroupKind::each)
    throw UsageError("--groups",
                     "each must be run by a program, which has the groups' addresses: the command "
                     "plans it and prints its source");
}

GroupList read_list(const std::string& path, const std::string& what) {
  GroupList list{.file = path};
  const NpyArray array = read_npy(path);
  const auto index = index_type(array);
  if (array.shape.size() != 1 || !index)
    refuse(ErrorCode::unsupported, path, array.descr,
           what + " must be a vector of 32-bit or 64-bit integers", "<i4");
  list.index = *index;
  list.values = integers_of(array.bytes, *index);
  return list;
}

GroupList read_group_list(const std::string& kind, const GroupLists& options) {
  if (!options.row_groups.empty()) return read_list(options.row_groups, "a list of rows' groups");
  const bool is_masked = kind == name(GroupKind::masked_rows);
  const std::string& file = is_masked ? options.counts : options.ends;
  if (file.empty())
    throw UsageError(is_masked ? "--counts" : "--ends",
                     is_masked ? "it must be given, for example --counts counts.npy"
                               : "it must be given, for example --ends ends.npy");
  return read_list(file, "a list of groups");
}

namespace {

void check_row_groups(const Problem& problem, const GroupList& list) {
  const std::string flag = list.file.empty() ? "--row-groups" : list.file;
  const auto entries = std::ssize(list.values);
  if (entries != problem.m)
    refuse_data(flag, std::to_string(entries) + " entries",
                "the list must have an entry for each row", std::to_string(problem.m));
  if (const auto row = row_groups(list.values, problem.batch).fault)
    refuse_data(flag, std::to_string(list.values[static_cast<size_t>(*row)]),
                "entry " + std::to_string(*row) +
                    " must be -1, which is none, or a group from 0 to " +
                    std::to_string(problem.batch - 1) + " that has not ended before",
                "-1");
}

/// Parts of the groups in any order, here and there rows of none behind one.
std::vector<Index> random_row_groups(const Problem& problem, const std::vector<Index>& ends,
                                     RandomNumbers& numbers) {
  std::vector<Index> order(ends.size()), groups(static_cast<size_t>(problem.m), -1);
  for (size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<Index>(i);
    std::swap(order[i], order[numbers.bits() % (i + 1)]);
  }
  Index row = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const Index left = numbers.bits() % 4 == 0 ? std::min<Index>(ends[i] - row, 3) : 0;
    for (; row < ends[i] - left; ++row) groups[static_cast<size_t>(row)] = order[i];
    row = ends[i];
  }
  return groups;
}

}  // namespace

void check_group_list(const Problem& problem, const GroupList& list) {
  if (problem.groups->entry == GroupEntry::row) return check_row_groups(problem, list);
  Problem bounds = problem;
  const Index bound = cut_extent(bounds, problem.groups->kind);
  const bool is_masked = problem.groups->kind == GroupKind::masked_rows;
  const std::string name = list.file.empty() ? "--ends" : list.file;
  Index before = 0;
  for (size_t group = 0; group < list.values.size(); ++group) {
    const Index value = list.values[group];
    if (value < before || value > bound)
      refuse_data(name, std::to_string(value),
                  "entry " + std::to_string(group) + " must be from " + std::to_string(before) +
                      " to " + std::to_string(bound) +
                      (is_masked ? ", as many rows as a matrix has"
                                 : ": ends never go down, nor past what all groups have"),
                  std::to_string(std::clamp(value, before, bound)));
    if (!is_masked) before = value;
  }
}

GroupList random_group_list(const Problem& problem, std::uint64_t seed) {
  Problem bounds = problem;
  const Index bound = cut_extent(bounds, problem.groups->kind);
  RandomNumbers numbers(seed);
  GroupList list{.index = problem.groups->index};
  for (Index group = 0; group < problem.batch; ++group)
    list.values.push_back(
        static_cast<Index>(numbers.bits() % static_cast<std::uint64_t>(bound + 1)));
  if (problem.groups->kind != GroupKind::masked_rows) {
    std::ranges::sort(list.values);
    if (!list.values.empty()) list.values.back() = bound;
  }
  if (problem.groups->entry == GroupEntry::row)
    list.values = random_row_groups(problem, list.values, numbers);
  return list;
}

}  // namespace jute::command

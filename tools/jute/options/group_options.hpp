#pragma once
// The flags of groups, and their lists.
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "options/said_flags.hpp"

namespace jute::command {

/// Files of lists; empty where a flag is left out.
struct GroupLists {
  std::string ends, counts, row_groups;
};
/// The flags of a run: the list comes from a file, and is read beside one of these options; empty:
/// alone.
void add_list_flags(Command& command, GroupLists& options, const Words& beside = {});

/// The groups of the flags; none where they say nothing.
///   throws  UsageError: a flag without --groups, a list that is not of this kind; unknown_name
[[nodiscard]] std::optional<Groups> groups_of(const SaidFlags& said, const GroupLists& lists);
/// The same for a problem without files, which says how many there are.
///   throws  as groups_of; UsageError: --count is missing, or an extent is said twice
[[nodiscard]] std::optional<Groups> checked_groups(const SaidFlags& said, const GroupLists& lists);

/// The word of the extent of which groups have parts; empty: each has its own.
[[nodiscard]] std::string_view cut_word(GroupKind kind);
/// The extent of which groups have parts, or so many first ones.
[[nodiscard]] Index& cut_extent(Problem& problem, GroupKind kind);
/// Refuses groups that only a program can run.   throws  UsageError: groups of `each`
void refuse_own_operands(const Problem& problem);

/// A list as a file has it.
struct GroupList {
  std::vector<Index> values{};
  GroupIndex index = GroupIndex::i32;
  std::string file{};
};
/// A vector of integers, which `what` names in a refusal.
///   throws  unsupported: it is none; what read_npy throws
[[nodiscard]] GroupList read_list(const std::string& path, const std::string& what);
/// The list of such groups that the flags name, of --ends, --counts or --row-groups.
///   throws  UsageError: none is named; unsupported: no vector of integers; what read_npy throws
[[nodiscard]] GroupList read_group_list(const std::string& kind, const GroupLists& lists);
/// Holds it to the rule of a completed problem's lists.
///   throws  illegal_problem: with the entry
void check_group_list(const Problem& problem, const GroupList& list);
/// Uneven parts, the same for the same seed.
[[nodiscard]] GroupList random_group_list(const Problem& problem, std::uint64_t seed);

}  // namespace jute::command

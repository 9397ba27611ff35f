#pragma once
// Groups: many problems in one launch, whose sizes only the device knows.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The extent that differs from group to group. There are as many groups as the batch has
/// matrices; what is not cut is a matrix of that batch.
enum class GroupKind : std::uint8_t {
  rows,         ///< A (M,K) and D (M,N) are cut along M, B is (batch,K,N)
  cols,         ///< B (K,N) and D (M,N) are cut along N, A is (batch,M,K)
  masked_rows,  ///< A (batch,M,K), D (batch,M,N): of each matrix so many first rows
  k,            ///< A (M,K) and B (K,N) are cut along K, D is (batch,M,N)
  each,         ///< every group is a problem of its own: see EachGroup
};
[[nodiscard]] std::string_view name(GroupKind kind);
/// Reads it.   throws  unknown_name
[[nodiscard]] GroupKind parse_group_kind(std::string_view text);

/// The integers of the device's list.
enum class GroupIndex : std::uint8_t { i32, i64 };
[[nodiscard]] constexpr int bytes_of(GroupIndex index) { return index == GroupIndex::i64 ? 8 : 4; }
[[nodiscard]] std::string_view name(GroupIndex index);

/// The entries of the device's list.
enum class GroupEntry : std::uint8_t {
  group,   ///< where it ends, or how many rows it has
  row,     ///< each row's group, -1 of none: groups of `rows` alone
  scaled,  ///< a ScaledGroup for each: groups of `each` whose operands have numbers of blocks
};

/// The list has an integer for each group: where it ends (the running ends that torch calls
/// `offs`), or of masked rows how many it has. It is read by the kernel alone. Ends never go down,
/// and stay within the extent that they cut: of a list that breaks this nothing is computed.
/// Of `each` the list has an EachGroup for each, of scaled operands a ScaledGroup, which a
/// completed problem says itself. Where it has an entry for each row (what DeepGEMM calls
/// m_indices), as many as M, the rows of a group lie together, groups in any order.
struct Groups {
  GroupKind kind = GroupKind::rows;
  GroupIndex index = GroupIndex::i32;
  /// Rows, columns or k that a usual group has (of `each` rows), for planning alone; 0: equal
  /// parts.
  Index expected = 0;
  GroupEntry entry = GroupEntry::group;
  bool operator==(const Groups&) const = default;
};

/// An entry of the list for a group of kind `each`: where its operands lie and how large they
/// are. M, N and K are at most the problem's; addresses, and the bytes from one row or column to
/// the next, are multiples of what the problem promises of their operand. C is read where the
/// product reads one. Of a list with an entry that breaks this nothing is computed.
struct EachGroup {
  std::uint64_t a = 0, b = 0, c = 0, d = 0;         ///< addresses on the device
  std::int64_t lda = 0, ldb = 0, ldc = 0, ldd = 0;  ///< in elements
  std::int32_t m = 0, n = 0, k = 0, reserved = 0;
};
static_assert(sizeof(EachGroup) == 80);

/// The same of groups whose operands have scales or zero points: where those of each group lie, in
/// blocks and by orders that are the problem's. Of what the problem has none, nothing is read.
struct ScaledGroup : EachGroup {
  std::uint64_t scale_a = 0, zero_a = 0, scale_b = 0, zero_b = 0;             ///< addresses
  std::int64_t ld_scale_a = 0, ld_zero_a = 0, ld_scale_b = 0, ld_zero_b = 0;  ///< in numbers
};
static_assert(sizeof(ScaledGroup) == 144);

/// The rows of a group, from the first to ahead of `end`; both 0 where it has none.
struct GroupRows {
  Index first = 0, end = 0;
  bool operator==(const GroupRows&) const = default;
};
/// A list that has the group of every row.
struct RowGroups {
  std::vector<GroupRows> parts;  ///< one for each group
  /// The first row whose entry is no group and not -1, or whose group has ended before.
  std::optional<Index> fault{};
};
/// Reads such a list.   example  {2, 2, -1, 0} of 3 groups: rows 3, none, 0 and 1
[[nodiscard]] RowGroups row_groups(std::span<const Index> list, Index groups);

/// How many entries the device's list has: one for each group, or for each of so many rows.
[[nodiscard]] constexpr Index entries_of(const Groups& groups, Index count, Index rows) {
  return groups.entry == GroupEntry::row ? rows : count;
}
/// Bytes of an entry of the device's list, and of what its address is a multiple.
[[nodiscard]] Index entry_bytes(const Groups& groups);
[[nodiscard]] int entry_alignment(const Groups& groups);

/// `rows:i32:expected64`, `rows:i32:by_row:expected64`; of `each`, whose entries have no integers,
/// `each:expected64`, `each:scaled:expected64`.
[[nodiscard]] std::string to_string(const Groups& groups);
/// Reads it; what is left out is as usual.   throws  syntax, unknown_name
[[nodiscard]] Groups parse_groups(std::string_view text);

/// The most groups of a problem.
inline constexpr Index kMostGroups = 4096;

}  // namespace jute

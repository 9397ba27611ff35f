#pragma once
// Groups: many problems in one launch, whose sizes only the device knows.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// What differs from group to group. There are as many groups as the problem has matrices in its
/// batch; what is not cut is a matrix of that batch.
enum class GroupKind : std::uint8_t {
  rows,         ///< A (M,K) and D (M,N) are cut along M, B is (batch,K,N)
  cols,         ///< B (K,N) and D (M,N) are cut along N, A is (batch,M,K)
  masked_rows,  ///< A (batch,M,K), D (batch,M,N): of each matrix so many first rows
  k,            ///< A (M,K) and B (K,N) are cut along K, D is (batch,M,N)
};
[[nodiscard]] std::string_view name(GroupKind kind);
/// Reads it.   throws  unknown_name
[[nodiscard]] GroupKind parse_group_kind(std::string_view text);

/// The integers of the device's list.
enum class GroupIndex : std::uint8_t { i32, i64 };
[[nodiscard]] std::string_view name(GroupIndex index);

/// The list has an integer for each group: where it ends (the running ends that torch calls
/// `offs`), or of masked rows how many it has. It is read by the kernel alone. Ends never go down,
/// and stay within the extent that they cut: of a list that breaks this nothing is computed.
struct Groups {
  GroupKind kind = GroupKind::rows;
  GroupIndex index = GroupIndex::i32;
  /// Rows, columns or k that a usual group has, for planning alone; 0: equal parts.
  Index expected = 0;
  bool operator==(const Groups&) const = default;
};
/// `rows:i32:expected64`.
[[nodiscard]] std::string to_string(const Groups& groups);
/// Reads it; what is left out is as usual.   throws  syntax, unknown_name
[[nodiscard]] Groups parse_groups(std::string_view text);

/// The most groups of a problem.
inline constexpr Index kMostGroups = 4096;

}  // namespace jute

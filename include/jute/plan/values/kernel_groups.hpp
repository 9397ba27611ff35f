#pragma once
// Groups as one kernel sees them.
#include <jute/base/export.hpp>
#include <jute/plan/ask/groups.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The dimension of a kernel of which groups have parts; `all`: each has extents and operands of
/// its own.
enum class GroupedAlong : std::uint8_t { m, n, k, all };
[[nodiscard]] std::string_view name(GroupedAlong along);

/// The part of the device's list that a block reads: where its group's part lies.
struct KernelGroups {
  GroupedAlong along = GroupedAlong::m;
  bool is_masked = false;  ///< every group's part begins at 0 of a matrix of its own
  GroupIndex index = GroupIndex::i32;
  int count = 1;
  GroupEntry entry = GroupEntry::group;
  /// Where groups have operands of their own: bytes that addresses and rows of the kernel's a, b, c
  /// and d are multiples of.
  std::array<int, 4> alignment{};
  bool operator==(const KernelGroups&) const = default;
};
/// `64 along m, ends i32`; of a list with an entry for each row `64 along m, rows' groups i32`.
[[nodiscard]] std::string to_string(const KernelGroups& groups);

/// Do groups have parts of K, each a D of its own?
[[nodiscard]] inline bool has_parts_of_k(const std::optional<KernelGroups>& groups) {
  return groups && groups->along == GroupedAlong::k;
}

/// Does the list say where a group's operands lie, and how large they are?
[[nodiscard]] inline bool lists_operands(const std::optional<KernelGroups>& groups) {
  return groups && groups->along == GroupedAlong::all;
}

/// Do tiles of D belong to groups, however many tiles each of them has?
[[nodiscard]] inline bool deals_tiles(const std::optional<KernelGroups>& groups) {
  return groups && (groups->along == GroupedAlong::m || groups->along == GroupedAlong::n);
}

}  // namespace jute

#pragma once
// Groups as one kernel sees them.
#include <jute/base/export.hpp>
#include <jute/plan/ask/groups.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace JUTE_API jute {

/// The dimension of a kernel of which groups have parts.
enum class GroupedAlong : std::uint8_t { m, n, k };
[[nodiscard]] std::string_view name(GroupedAlong along);

/// What a block reads of the device's list: where its group's part lies.
struct KernelGroups {
  GroupedAlong along = GroupedAlong::m;
  bool is_masked = false;  ///< every group's part begins at 0 of a matrix of its own
  GroupIndex index = GroupIndex::i32;
  int count = 1;
  bool operator==(const KernelGroups&) const = default;
};
/// `64 along m, ends i32`.
[[nodiscard]] std::string to_string(const KernelGroups& groups);

/// Do tiles of D belong to groups, however many tiles each of them has?
[[nodiscard]] inline bool deals_tiles(const std::optional<KernelGroups>& groups) {
  return groups && groups->along != GroupedAlong::k;
}

}  // namespace jute

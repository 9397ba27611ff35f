#pragma once
// What a step reads and writes of each rank's buffers, as rows times columns.
#include <jute/dist/distributed_plan.hpp>

#include <array>
#include <compare>
#include <vector>

namespace jute::dist {

/// From `begin` up to `end`; those of one list ascend.
struct Stretch {
  Index begin = 0, end = 0;
  auto operator<=>(const Stretch&) const = default;
};
/// All of these rows, of them all of these columns.
using Patch = std::array<std::vector<Stretch>, 2>;

/// The touched patches of one buffer, by ranks.
struct TouchedBuffer {
  std::size_t buffer = 0;
  std::vector<std::vector<Patch>> patches{};
};
struct TouchedParts {
  std::vector<TouchedBuffer> read{}, written{};
};
[[nodiscard]] TouchedParts touched_parts(const DistributedPlan& plan, const DistributedStep& step);
/// All of a buffer.
[[nodiscard]] TouchedBuffer all_of(const DistributedPlan& plan, std::size_t buffer);

/// Elements that two patches share.
[[nodiscard]] Index shared_elements(const Patch& left, const Patch& right);
[[nodiscard]] Index elements_of(const Patch& patch);
/// Do two of these patches share an element?
[[nodiscard]] bool overlap(const std::vector<const Patch*>& patches);
/// Do they share elements on some rank?
[[nodiscard]] bool share_elements(const std::vector<TouchedBuffer>& left,
                                  const std::vector<TouchedBuffer>& right);

}  // namespace jute::dist

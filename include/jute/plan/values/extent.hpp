#pragma once
// Numbers of a problem inside a kernel.
#include <jute/base/export.hpp>
#include <jute/plan/values/count.hpp>

namespace JUTE_API jute {

/// A number of the problem inside a kernel: a literal, or a parameter whose value may change from
/// launch to launch.
struct Extent {
  Count count = {};  ///< what it is in a run
  Index value = 0;   ///< what it is in the run that was planned for
  bool baked = false;
  int multiple_of = 1;  ///< of a parameter: of which it is a multiple in every run
  bool operator==(const Extent&) const = default;
};
/// Is it a multiple of that in every run?
[[nodiscard]] inline bool is_multiple(const Extent& extent, Index of) {
  return (extent.baked ? extent.value : Index{extent.multiple_of}) % of == 0;
}
/// Is it that in every run?
[[nodiscard]] inline bool is_always(const Extent& extent, Index value) {
  return extent.baked && extent.value == value;
}

}  // namespace jute

#pragma once
// The clocks that a kernel is expected to take with tiles of one width.
#include <jute/base/export.hpp>
#include <jute/plan/cost/kernel_cost.hpp>

namespace JUTE_API jute {

/// A kernel with tiles of one width in so many slices of K, as the model sees it.
struct WidthCost {
  Index width = 0;  ///< 0: the kernel has one
  KernelCost cost;
  bool operator==(const WidthCost&) const = default;
};

}  // namespace jute

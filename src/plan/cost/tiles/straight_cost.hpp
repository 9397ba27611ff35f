#pragma once
// What warps that load their own fragments leave others: registers, and when the next may begin;
// and what those of stored elements take.
#include <jute/plan/cost/prediction.hpp>

#include "plan/shapes/straight_tiles.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// Of a thread, with the fragments of a k-tile on their way.
[[nodiscard]] double straight_registers(const StraightWork& work);
/// Blocks of an SM whose threads have stored elements of two k-tiles in registers; no more than the
/// grid has for each.
[[nodiscard]] int stored_blocks(const StraightWork& work, Index m, Index n, Index batch,
                                const DeviceInfo& device);
/// What words of stored elements take: none of their kernels stands among the law's times.
[[nodiscard]] Prediction stored_prediction(const StraightWork& work, Index m, Index n, Index k,
                                           Index batch, const DeviceInfo& device);
/// When the next kernel may begin beside such blocks, by what their threads load and store.
[[nodiscard]] Release straight_release(const StraightWork& work, Index m, Index n, Index k,
                                       Index batch, const DeviceInfo& device);

}  // namespace jute::plan

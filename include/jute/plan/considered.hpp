#pragma once
// The candidates of planning, for people who ask why.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>

#include <string>
#include <vector>

namespace JUTE_API jute {

/// What planning chooses from for such a problem, a line each in order of preference: the first
/// legal one is planned. A caller's choices of tile, layouts and stages override those of the line.
///   example  "SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, 4 stages"
///   throws   illegal_problem; unknown_name: the caller's atom
[[nodiscard]] std::vector<std::string> considered(const Problem& problem, const DeviceInfo& device,
                                                  const Config& config = {},
                                                  const Catalogue& catalogue = {});

}  // namespace jute

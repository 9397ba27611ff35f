// Reads what the assembler says of kernels.
#include "gemm/spills.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <sstream>

#include "base/format.hpp"

namespace jute::gemm {
namespace {

/// The blocks that have a tile or a slice of one.
Index blocks_of(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  return ceil_div(step.m.value, Index{step.tile.m}) * ceil_div(step.n.value, Index{step.tile.n}) *
         std::max<Index>(step.batch.value, 1) * step.schedule.split_k;
}

}  // namespace

std::string fault_of_assembly(const std::vector<Binary>& binaries) {
  for (const Binary& binary : binaries) {
    if (!binary.resources) continue;
    if (const auto bytes = binary.resources->spill_store_bytes; bytes > 0)
      return base::format("{} spills {} bytes", binary.symbol, bytes);
    std::istringstream lines(binary.log);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ptxas") && (line.find("warning") != std::string::npos ||
                                        line.find("Performance Loss") != std::string::npos))
        return base::format("{}: {}", binary.symbol, line);
  }
  return {};
}

bool may_replace(const Plan& spilled, const Plan& next, const DeviceInfo& device) {
  constexpr int kMostMore = 4;
  const auto expected = prediction_of(spilled), other = prediction_of(next);
  if (expected && other) return other->clocks <= kMostMore * expected->clocks;
  return kMostMore * blocks_of(next) >= std::min<Index>(blocks_of(spilled), device.sm_count);
}

}  // namespace jute::gemm

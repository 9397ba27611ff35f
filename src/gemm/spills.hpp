#pragma once
// Whether compiled kernels keep to their registers.
#include <jute/launch/device_info.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <vector>

#include "gemm/kernel_store.hpp"

namespace jute::gemm {

/// `jute_sm80_f16_64x128x128_s3_e8e4de63 spills 92 bytes`, or what the assembler warns of; empty
/// where nothing is wrong, and of back ends that run PTX, which no assembler has seen.
[[nodiscard]] std::string fault_of_assembly(const std::vector<Binary>& binaries);

/// Is a plan worth a kernel that spills? Models are not that sure of what spills cost: where both
/// have a prediction, if it is expected to take at most four times as long; else if it has a
/// quarter of the blocks, or one for every fourth SM.
[[nodiscard]] bool may_replace(const Plan& spilled, const Plan& next, const DeviceInfo& device);

}  // namespace jute::gemm

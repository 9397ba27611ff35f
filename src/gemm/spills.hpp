#pragma once
// Whether compiled kernels keep to their registers.
#include <string>
#include <vector>

#include "gemm/kernel_store.hpp"

namespace jute::gemm {

/// `jute_sm80_f16_64x128x128_s3_e8e4de63 spills 92 bytes`, or what the assembler warns of; empty
/// where nothing is wrong, and of back ends that run PTX, which no assembler has seen.
[[nodiscard]] std::string fault_of_assembly(const std::vector<Binary>& binaries);

}  // namespace jute::gemm

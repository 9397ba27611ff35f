#pragma once
// Kernels of a producer and groups of consumers.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// What the pieces below are written with: barriers, TMA, products.
[[nodiscard]] std::string specialised_prelude(const Kernel& kernel);
/// The block's share of the work, its roles, signals and slabs.
[[nodiscard]] std::string specialised_constants(const Kernel& kernel);
/// Functions of their own beside operands, epilogue and mma: where a tile lies, a slab's rows.
[[nodiscard]] std::string specialised_functions(const Kernel& kernel);

/// The pieces of kernel/warp_specialised.cu.
struct SpecialisedBody {
  std::string share, producer, consumer, leave;
};
[[nodiscard]] SpecialisedBody specialised_body(const Kernel& kernel);

}  // namespace jute::codegen

#pragma once
// Products of every kind that can be asked for, drawn at random, and what assembles their kernels.
#include <jute/launch/device_info.hpp>

#include <span>
#include <string>
#include <string_view>

#include "support/random_problem.hpp"

namespace jute::test {

/// A kind of product. The same index draws the same case.
struct ProductKind {
  std::string_view name;
  GemmCase (*draw)(int index);
};
[[nodiscard]] std::span<const ProductKind> product_kinds();

/// What came of the plans of a case on a chip.
struct Assembled {
  int kernels = 0;     ///< that were assembled; 0: planning refused the case, as some chips do
  std::string faults;  ///< of the compiler or the assembler, a line each
};
/// Every step of every plan, compiled by NVRTC to the machine code of the chip's own target.
[[nodiscard]] Assembled assembled(const GemmCase& one, const DeviceInfo& chip);

}  // namespace jute::test

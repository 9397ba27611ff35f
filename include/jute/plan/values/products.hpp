#pragma once
// f32 operands as sums of terms, and the products of those.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// A step's products as a kernel looks them up: the terms of A and of B, so many bits each, the
/// first product's in the lowest.
struct ProductTable {
  Index products = 0, terms = 1;
  int bits = 4;
  Index of_a = 0, of_b = 0;
};
[[nodiscard]] ProductTable product_table(const GemmStep& step);

}  // namespace jute

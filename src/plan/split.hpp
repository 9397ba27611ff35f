#pragma once
// f32 operands as sums of terms that tensor cores multiply.
#include <jute/plan/plan.hpp>
#include <jute/plan/split.hpp>

#include <string>
#include <vector>

#include "plan/broken_rule.hpp"

namespace jute::plan {

/// Products of terms whose places add up to less than there are terms, those of the last places
/// first: they are the smallest. So a last term meets first ones alone.
[[nodiscard]] std::vector<TermProduct> products_of(Precision precision);

/// `(1,0) (0,1) (0,0)`, terms of A and B in the order of their products; or none.
[[nodiscard]] std::string to_string(const std::vector<TermProduct>& products);

/// What a split loses of |A||B|: rests of operands, and the products that are left out.
[[nodiscard]] double split_error(const GemmStep& step);

[[nodiscard]] Errors product_rules(const GemmStep& step);

}  // namespace jute::plan

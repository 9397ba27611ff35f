#pragma once
// f32 operands as sums of terms that tensor cores multiply.
#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>
#include <vector>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Products of terms whose places add up to less than there are terms, those of the last places
/// first: they are the smallest. So a last term meets first ones alone.
[[nodiscard]] std::vector<TermProduct> products_of(Precision precision);

/// `(1,0) (0,1) (0,0)`, terms of A and B in the order of their products; or none.
[[nodiscard]] std::string to_string(const std::vector<TermProduct>& products);

/// Matrices of a copy for each matrix of an operand, each a copy of the tile in a stage; 1 where
/// operands are not split.
[[nodiscard]] int terms_of(const GemmStep& step);

/// A stage of a split operand holds every term of its tile, one behind the other.
///   shapes   tile: (mn, k) -> element; given back: (mn, k, term) -> element, where there are
///   several
[[nodiscard]] ComposedLayout with_terms(const ComposedLayout& tile, int terms, DType type);

/// What a split loses of |A||B|: rests of operands, and the products that are left out.
[[nodiscard]] double split_error(const GemmStep& step);

[[nodiscard]] Errors product_rules(const GemmStep& step);

}  // namespace jute::plan

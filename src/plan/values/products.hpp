#pragma once
// Which terms of A are multiplied by which of B.
#include <jute/plan/ask/split.hpp>
#include <jute/plan/values/products.hpp>
#include <string>
#include <vector>

namespace jute::plan {

/// Products of terms whose places add up to less than there are terms, those of the last places
/// first: they are the smallest. So a last term meets first ones alone.
[[nodiscard]] std::vector<TermProduct> products_of(Precision precision);

/// `(1,0) (0,1) (0,0)`, terms of A and B in the order of their products; or none.
[[nodiscard]] std::string to_string(const std::vector<TermProduct>& products);

/// Matrices of a copy for each matrix of an operand, each a copy of the tile in a stage; 1 where
/// operands are not split.
[[nodiscard]] int terms_of(const GemmStep& step);

/// The part of |A||B| that a split loses: rests of operands, and the products that are left out.
[[nodiscard]] double split_error(const GemmStep& step);

}  // namespace jute::plan

#pragma once
// Whether two problems that write into one D write one element of it.
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <string>

namespace jute::plan {

/// An element that both name, as (row,column,matrix) of each.
struct SharedElement {
  Index element = 0;
  std::string one, other;
};
struct SharedElementSearch {
  std::optional<SharedElement> found{};
  bool is_undecided = false;  ///< looking was given up
};
/// The element that two completed problems share, with all rows that runs of them may have.
/// Elements of a D are those of digits with strides, an M that ends within a mode of its View gives
/// a few such sets, and two of them share an element where the digits of both add up to the
/// distance of their origins.
[[nodiscard]] SharedElementSearch shared_element(const Problem& one, const Problem& other);

}  // namespace jute::plan

#pragma once
// Operations on the domain of a layout, whatever stands left of it.
#include "expr/function.hpp"

#include <jute/layout/algebra.hpp>

namespace jute::expr {

/// The part of argument i that defines its domain: the layout, or the inner layout of a
/// composition.
[[nodiscard]] const Layout& domain_of(const Arguments& arguments, int i);
/// Argument i with another layout in that place.
[[nodiscard]] Value with_domain(const Arguments& arguments, int i, Layout domain);

/// Applies an operation on the domain; a composed layout keeps its swizzle or outer layout.
template <class Operation>
[[nodiscard]] Value on_domain(const Arguments& arguments, int i, Operation&& operation) {
  return with_domain(arguments, i, operation(domain_of(arguments, i)));
}

}  // namespace jute::expr

// Arithmetic and comparisons of tuples.
#include "expr/on_domain.hpp"

#include <jute/layout/coordinates.hpp>

namespace jute::expr {

namespace {

/// A layout stands for its shape where tuples are compared.
IntTuple shape_of(const Arguments& args, int i) {
  return args.is<IntTuple>(i) ? args.tuple(i) : domain_of(args, i).shape();
}

Value shape_div_of(const Arguments& args) { return shape_div(args.tuple(0), args.tuple(1)); }
Value ceil_div_of(const Arguments& args) { return ceil_div(args.tuple(0), args.tuple(1)); }
Value product_each_of(const Arguments& args) { return product_each(args.tuple(0)); }
Value inner_product_of(const Arguments& args) {
  return inner_product(args.tuple(0), args.tuple(1));
}
Value congruent_of(const Arguments& args) {
  return congruent(shape_of(args, 0), shape_of(args, 1));
}
Value weakly_congruent_of(const Arguments& args) {
  return weakly_congruent(shape_of(args, 0), shape_of(args, 1));
}
Value compatible_of(const Arguments& args) {
  return compatible(shape_of(args, 0), shape_of(args, 1));
}
Value elem_less_of(const Arguments& args) {
  return elem_less(shape_of(args, 0), shape_of(args, 1));
}

constexpr Function kFunctions[] = {
    {"shape_div", 2, 2, shape_div_of, "shape_div(a,b)", "Exact division of shapes."},
    {"ceil_div", 2, 2, ceil_div_of, "ceil_div(a,b)", "Division of shapes, rounded up."},
    {"product_each", 1, 1, product_each_of, "product_each(shape)", "The size of each mode."},
    {"inner_product", 2, 2, inner_product_of, "inner_product(a,b)", "Sum of products of leaves."},
    {"congruent", 2, 2, congruent_of, "congruent(a,b)", "Do both nest alike?"},
    {"weakly_congruent", 2, 2, weakly_congruent_of, "weakly_congruent(a,b)",
     "Does b nest like a, or deeper?"},
    {"compatible", 2, 2, compatible_of, "compatible(a,b)",
     "Is every coordinate of a one of b, at equal size?"},
    {"elem_less", 2, 2, elem_less_of, "elem_less(a,b)", "Is every leaf of a less than that of b?"},
};

}  // namespace

std::span<const Function> comparison_functions() { return kFunctions; }

}  // namespace jute::expr

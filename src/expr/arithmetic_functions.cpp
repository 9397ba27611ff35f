// Arithmetic of tuples, unit vectors among them.
#include "expr/function.hpp"

#include <jute/layout/coordinates.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

namespace jute::expr {

namespace {

template <IntTuple (*operation)(const IntTuple&, const IntTuple&)>
Value of_two(const Arguments& args) {
  return operation(args.tuple(0), args.tuple(1));
}
template <auto operation>
Value of_one(const Arguments& args) {
  return operation(args.tuple(0));
}

Value scale_of(const Arguments& args) { return scale(args.integer(0), args.tuple(1)); }
Value product_of(const Arguments& args) { return size(args.tuple(0)); }
Value inner_product_of(const Arguments& args) {
  return inner_product(args.tuple(0), args.tuple(1));
}

constexpr Function kArithmeticFunctions[] = {
    {"add", 2, 2, of_two<add>, "add(a,b)", "Leaf by leaf; unit vectors count as their tuples."},
    {"subtract", 2, 2, of_two<subtract>, "subtract(a,b)", "Leaf by leaf, as add."},
    {"scale", 2, 2, scale_of, "scale(factor,tuple)", "Every leaf times a number."},
    {"elem_scale", 2, 2, of_two<elem_scale>, "elem_scale(a,b)", "Leaves of a times parts of b."},
    {"as_tuple", 1, 1, of_one<as_tuple>, "as_tuple(T)", "Unit vectors written out as tuples."},
    {"make_basis_like", 1, 1, of_one<make_basis_like>, "make_basis_like(shape)",
     "The unit vectors of a shape."},
    {"sum", 1, 1, of_one<sum>, "sum(T)", "The sum of all leaves."},
    {"product", 1, 1, product_of, "product(T)", "The product of all leaves."},
    {"max", 1, 1, of_one<max>, "max(T)", "The largest leaf."},
    {"min", 1, 1, of_one<min>, "min(T)", "The least leaf."},
    {"gcd", 1, 1, of_one<gcd>, "gcd(T)", "The greatest common divisor of all leaves."},
    {"product_each", 1, 1, of_one<product_each>, "product_each(shape)", "The size of each mode."},
    {"product_like", 2, 2, of_two<product_like>, "product_like(T,guide)",
     "The products below the leaves of a guide."},
    {"inner_product", 2, 2, inner_product_of, "inner_product(a,b)", "Sum of products of leaves."},
    {"shape_div", 2, 2, of_two<shape_div>, "shape_div(a,b)", "Exact division of shapes."},
    {"ceil_div", 2, 2, of_two<ceil_div>, "ceil_div(a,b)", "Division of shapes, rounded up."},
    {"round_up", 2, 2, of_two<round_up>, "round_up(a,b)", "Up to multiples of b."},
    {"increment", 2, 2, of_two<increment>, "increment(coordinate,shape)",
     "The next coordinate, first mode fastest."},
};

}  // namespace

std::span<const Function> arithmetic_functions() { return kArithmeticFunctions; }

}  // namespace jute::expr

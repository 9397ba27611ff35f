#pragma once
// Arithmetic and orders of nested integers, unit vectors among them.
#include <jute/base/export.hpp>
#include <jute/layout/int_tuple.hpp>

namespace JUTE_API jute {

/// The tuple that a unit vector stands for; other tuples with their unit vectors written out.
///   example  as_tuple("2@0@1") == "(0,(2))"
[[nodiscard]] IntTuple as_tuple(const IntTuple& value);
/// Leaf by leaf, the shorter side padded with zeros; a unit vector counts as its tuple, and 0 is
/// neutral to everything.
///   example  add("(1,2)", "3@1") == "(1,5)", add("1@0", "2@1") == "(1,2)"
///   throws   wrong_type: a number other than 0 meets a tuple, or a wildcard occurs; overflow
[[nodiscard]] IntTuple add(const IntTuple& a, const IntTuple& b);
[[nodiscard]] IntTuple subtract(const IntTuple& a, const IntTuple& b);
/// Every leaf times the factor.   example  scale(3, "(1,2@0)") == "(3,6@0)"
[[nodiscard]] IntTuple scale(Index factor, const IntTuple& value);
[[nodiscard]] inline IntTuple operator+(const IntTuple& a, const IntTuple& b) { return add(a, b); }
[[nodiscard]] inline IntTuple operator-(const IntTuple& a, const IntTuple& b) {
  return subtract(a, b);
}
[[nodiscard]] inline IntTuple operator*(Index factor, const IntTuple& value) {
  return scale(factor, value);
}
/// Each leaf of a times the product of what stands in its place in b.
///   example  elem_scale("(2,3)", "(4,(5,6))") == "(8,90)"
[[nodiscard]] IntTuple elem_scale(const IntTuple& a, const IntTuple& b);

/// Over all leaves.   throws  out_of_range (max, min): there is none; wrong_type: no plain integers
[[nodiscard]] Index sum(const IntTuple& tuple);
[[nodiscard]] Index max(const IntTuple& tuple);
[[nodiscard]] Index min(const IntTuple& tuple);
/// Never negative; 0 where all are.   throws  overflow: it is 2^63
[[nodiscard]] Index gcd(const IntTuple& tuple);
/// The products of what stands below each leaf of the guide.
///   example  product_like("((2,3),4)", "(1,1)") == "(6,4)"
[[nodiscard]] IntTuple product_like(const IntTuple& tuple, const IntTuple& guide);
/// Leaf by leaf up to a multiple of b; b may have fewer modes.
///   example  round_up("(5,9,3)", "(4,8)") == "(8,16,3)"
[[nodiscard]] IntTuple round_up(const IntTuple& a, const IntTuple& b);
/// Do tiles of shape b fill the shape a without a remainder?
[[nodiscard]] bool evenly_divides(const IntTuple& a, const IntTuple& b);
/// The unit vectors of a shape.   example  make_basis_like("(2,(3,4))") == "(1@0,(1@0@1,1@1@1))"
[[nodiscard]] IntTuple make_basis_like(const IntTuple& shape);

/// The orders of coordinates that compare the first mode first, or the last. Of tuples that agree
/// as far as both go, the shorter is less.   throws  not_congruent: a number meets a tuple
[[nodiscard]] bool lex_less(const IntTuple& a, const IntTuple& b);
[[nodiscard]] bool colex_less(const IntTuple& a, const IntTuple& b);
/// The coordinate after this one, first mode fastest; the last mode goes on beyond its extent.
///   example  increment("(1,0)", "(2,3)") == "(0,1)"
///   throws   not_congruent: the coordinate does not nest like the shape; overflow
[[nodiscard]] IntTuple increment(const IntTuple& coordinate, const IntTuple& shape);

}  // namespace jute

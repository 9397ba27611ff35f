// Comparisons of tuples; a layout stands for its shape.
#include "expr/on_domain.hpp"

#include <jute/layout/coordinates.hpp>
#include <jute/layout/tuple_arithmetic.hpp>

namespace jute::expr {

namespace {

/// A layout stands for its shape where tuples are compared.
IntTuple shape_of(const Arguments& args, int i) {
  return args.is<IntTuple>(i) ? args.tuple(i) : domain_of(args, i).shape();
}

template <bool (*holds)(const IntTuple&, const IntTuple&)>
Value whether(const Arguments& args) {
  return holds(shape_of(args, 0), shape_of(args, 1));
}
/// What follows from less(a,b). As in CuTe, `leq` is "b is not less": for leaves compared one by
/// one that is more than "less or equal".
template <bool (*less)(const IntTuple&, const IntTuple&)>
Value gtr_of(const Arguments& args) {
  return less(shape_of(args, 1), shape_of(args, 0));
}
template <bool (*less)(const IntTuple&, const IntTuple&)>
Value leq_of(const Arguments& args) {
  return !less(shape_of(args, 1), shape_of(args, 0));
}
template <bool (*less)(const IntTuple&, const IntTuple&)>
Value geq_of(const Arguments& args) {
  return !less(shape_of(args, 0), shape_of(args, 1));
}

constexpr Function kComparisonFunctions[] = {
    {"congruent", 2, 2, whether<congruent>, "congruent(a,b)", "Do both nest alike?"},
    {"weakly_congruent", 2, 2, whether<weakly_congruent>, "weakly_congruent(a,b)",
     "Does b nest like a, or deeper?"},
    {"compatible", 2, 2, whether<compatible>, "compatible(a,b)",
     "Is every coordinate of a one of b, at equal size?"},
    {"evenly_divides", 2, 2, whether<evenly_divides>, "evenly_divides(shape,tile)",
     "Do tiles fill a shape without a remainder?"},
    {"elem_less", 2, 2, whether<elem_less>, "elem_less(a,b)",
     "Is a less than b, each leaf by itself?"},
    {"elem_leq", 2, 2, leq_of<elem_less>, "elem_leq(a,b)",
     "Is b not less than a, each leaf by itself?"},
    {"elem_gtr", 2, 2, gtr_of<elem_less>, "elem_gtr(a,b)",
     "Is b less than a, each leaf by itself?"},
    {"elem_geq", 2, 2, geq_of<elem_less>, "elem_geq(a,b)",
     "Is a not less than b, each leaf by itself?"},
    {"lex_less", 2, 2, whether<lex_less>, "lex_less(a,b)", "Is a less than b, first mode first?"},
    {"lex_leq", 2, 2, leq_of<lex_less>, "lex_leq(a,b)", "Is b not less than a, first mode first?"},
    {"lex_gtr", 2, 2, gtr_of<lex_less>, "lex_gtr(a,b)", "Is b less than a, first mode first?"},
    {"lex_geq", 2, 2, geq_of<lex_less>, "lex_geq(a,b)", "Is a not less than b, first mode first?"},
    {"colex_less", 2, 2, whether<colex_less>, "colex_less(a,b)",
     "Is a less than b, last mode first?"},
    {"colex_leq", 2, 2, leq_of<colex_less>, "colex_leq(a,b)",
     "Is b not less than a, last mode first?"},
    {"colex_gtr", 2, 2, gtr_of<colex_less>, "colex_gtr(a,b)", "Is b less than a, last mode first?"},
    {"colex_geq", 2, 2, geq_of<colex_less>, "colex_geq(a,b)",
     "Is a not less than b, last mode first?"},
};

}  // namespace

std::span<const Function> comparison_functions() { return kComparisonFunctions; }

}  // namespace jute::expr

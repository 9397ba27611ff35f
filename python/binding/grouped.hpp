#pragma once
// Groups: which axes of arrays are cut, the list that says where, and what no group writes.
#include "product.hpp"

namespace jute::python {

/// The meaning of a's, b's and the result's axes for a kind of groups.
struct GroupedAxes {
  int rank_of_a, rank_of_b;
  GroupKind kind;
  Axes a, b, d;
};
///   throws  wrong_arity: no kind has operands of so many axes
[[nodiscard]] const GroupedAxes& axes_of_groups(const Array& a, const Array& b);

/// Reads the list into `bound`, and what `groups`, whose kind is there, has of it.
///   gives   how many groups there are
///   throws  wrong_arity: another list is asked for; wrong_type; not_compatible: operands have
///   other
///           numbers of matrices
[[nodiscard]] Index read_groups(Bound& bound, const Array& a, const Array& b, const Lists& lists,
                                Groups& groups);
///   throws  not_compatible: a list of rows' groups has not one for each row
void check_row_groups(const Bound& bound, const Groups& groups, Index rows);
/// Makes rows of no group 0, in results that are made here.
void clear_what_is_made(const Bound& bound, bool is_made);

}  // namespace jute::python

// Products of groups: which arrays are cut, the list that says where, and what no group writes.
#include "grouped.hpp"

#include <cstring>

#include "integer_lists.hpp"
#include "run.hpp"

namespace jute::python {

const GroupedAxes& axes_of_groups(const Array& a, const Array& b) {
  const Axes one{0, 0, 1}, each{1, 1, 2};
  static const GroupedAxes rows[] = {{2, 3, GroupKind::rows, one, each, one},
                                     {3, 2, GroupKind::cols, each, one, one},
                                     {2, 2, GroupKind::k, one, one, each},
                                     {3, 3, GroupKind::masked_rows, each, each, each}};
  for (const GroupedAxes& row : rows)
    if (row.rank_of_a == a.rank && row.rank_of_b == b.rank) return row;
  const bool is_a = a.rank != 2 && a.rank != 3;
  refuse(ErrorCode::wrong_arity, is_a ? "a" : "b", std::to_string(is_a ? a.rank : b.rank) + " axes",
         "operands of groups must have 2 axes, which are cut, or 3, a matrix for each group",
         "2 axes");
}

namespace {

struct List {
  const char* name = "offs";
  nb::handle object;
};
List list_of(GroupKind kind, const Lists& lists) {
  const auto& [offs, counts, row_groups] = lists;
  if (!row_groups.is_none()) {
    if (kind != GroupKind::rows)
      refuse(ErrorCode::wrong_arity, "row_groups", "an array",
             "it must be None but for an a of 2 axes and a b of 3, whose groups are rows", "None");
    if (!offs.is_none() || !counts.is_none())
      refuse(ErrorCode::wrong_arity, offs.is_none() ? "counts" : "offs", "an array",
             "it must be None where row_groups has each row's group", "None");
    return {"row_groups", row_groups};
  }
  const bool is_counted = kind == GroupKind::masked_rows;
  const nb::object& wanted = is_counted ? counts : offs;
  const nb::object& other = is_counted ? offs : counts;
  const char* const rule =
      is_counted ? "of a and b with 3 axes counts must be given, and no offs; without counts it is "
                   "jute.matmul"
                 : "offs must be given, and no counts: those are of a and b with 3 axes";
  const char* const name = is_counted ? "counts" : "offs";
  if (wanted.is_none()) refuse(ErrorCode::wrong_arity, name, "None", rule);
  if (!other.is_none())
    refuse(ErrorCode::wrong_arity, is_counted ? "offs" : "counts", "an array", rule, "None");
  return {name, wanted};
}

void read_list(Bound& bound, const List& list, Groups& groups) {
  const bool is_by_row = list.name == std::string_view("row_groups");
  groups.entry = is_by_row ? GroupEntry::row : GroupEntry::group;
  groups.index = read_integers(bound.list, list.object, list.name, is_by_row ? "row" : "group");
  bound.list_name = list.name;
}

/// How many groups there are: every operand that has a matrix for each says so, and the list.
Index group_count(const Bound& bound, const Array& a, const Array& b, GroupEntry entry) {
  const Index count = entry == GroupEntry::row ? b.extent[0] : bound.list.extent[0];
  const auto check = [&](const Array& array, const char* name) {
    if (array.rank == 2 || array.extent[0] == count) return;
    Extents nearest = array.extents();
    nearest[0] = count;
    refuse_shape(name, array.extents(),
                 std::string("it must have a matrix for each of the ") + std::to_string(count) +
                     " integers of " + bound.list_name,
                 nearest);
  };
  check(a, "a");
  check(b, "b");
  return count;
}

/// Makes rows of no group 0, in an array that is made here.
void clear_made(const Bound& bound, const Array& array) {
  const Index bytes = span_bytes(array);
  if (bytes == 0) return;
  if (array.device == kHost)
    std::memset(reinterpret_cast<void*>(array.address), 0, static_cast<std::size_t>(bytes));
  else
    runtime_of(array.device).context().backend().fill(array.address, 0, bytes, bound.args.stream);
}

}  // namespace

Index read_groups(Bound& bound, const Array& a, const Array& b, const Lists& lists,
                  Groups& groups) {
  read_list(bound, list_of(groups.kind, lists), groups);
  return group_count(bound, a, b, groups.entry);
}

void check_row_groups(const Bound& bound, const Groups& groups, Index rows) {
  if (groups.entry == GroupEntry::row && bound.list.extent[0] != rows)
    refuse(ErrorCode::not_compatible, bound.list_name, std::to_string(bound.list.extent[0]),
           "it must have an integer for each row, of which there are " + std::to_string(rows),
           std::to_string(rows));
}

void clear_what_is_made(const Bound& bound, bool is_made) {
  if (bound.problem.groups->kind == GroupKind::k) return;  // whose every element is some group's
  if (is_made) clear_made(bound, bound.d);
  for (const NamedArray& output : bound.outputs)
    if (output.is_made) clear_made(bound, output.array);
}

}  // namespace jute::python

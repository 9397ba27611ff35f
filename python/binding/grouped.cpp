// Products of groups: which arrays are cut, the list that says where, and what no group writes.
#include "grouped.hpp"

#include <cstring>

#include "integer_lists.hpp"
#include "module.hpp"
#include "refusing.hpp"

namespace jute::python {

using namespace nanobind::literals;

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
Index group_count(const Bound& bound, const GroupedAxes& axes, GroupEntry entry) {
  const Index count = entry == GroupEntry::row ? bound.b.extent[0] : bound.list.extent[0];
  const auto check = [&](const Array& array, const char* name) {
    if (array.rank == 2 || array.extent[0] == count) return;
    Extents nearest = array.extents();
    nearest[0] = count;
    refuse_shape(name, array.extents(),
                 std::string("it must have a matrix for each of the ") + std::to_string(count) +
                     " integers of " + bound.list_name,
                 nearest);
  };
  check(bound.a, "a");
  check(bound.b, "b");
  const auto at = [](const Array& array, std::optional<int> axis) {
    return array.extent[static_cast<std::size_t>(*axis)];
  };
  if (const Index k = at(bound.a, axes.a.cols); at(bound.b, axes.b.rows) != k) {
    Extents nearest = bound.b.extents();
    nearest[static_cast<std::size_t>(*axes.b.rows)] = k;
    refuse_shape("b", bound.b.extents(),
                 "it must have as many rows as a has columns (" + std::to_string(k) + ")", nearest);
  }
  return count;
}

/// What no group writes of an array that is made here is 0.
void clear_made(const Bound& bound, const Array& array) {
  const Index bytes = span_bytes(array);
  if (bytes == 0) return;
  if (array.device == kHost)
    std::memset(reinterpret_cast<void*>(array.address), 0, static_cast<std::size_t>(bytes));
  else
    runtime_of(array.device).context().backend().fill(array.address, 0, bytes, bound.args.stream);
}

}  // namespace

Index read_groups(Bound& bound, const GroupedAxes& axes, const Lists& lists, Groups& groups) {
  read_list(bound, list_of(axes.kind, lists), groups);
  return group_count(bound, axes, groups.entry);
}

void check_row_groups(const Bound& bound, const Groups& groups, Index rows) {
  if (groups.entry == GroupEntry::row && bound.list.extent[0] != rows)
    refuse(ErrorCode::not_compatible, bound.list_name, std::to_string(bound.list.extent[0]),
           "it must have an integer for each row, of which there are " + std::to_string(rows),
           std::to_string(rows));
}

namespace {

Bound bind_groups(const Wish& wish, const Operands& operands, const Lists& lists, Index expected) {
  Bound bound;
  bound.a = array_of(operands.a, "a", wish.dtype);
  bound.b = array_of(operands.b, "b", wish.dtype);
  const GroupedAxes& axes = axes_of_groups(bound.a, bound.b);
  Groups groups{.kind = axes.kind, .expected = expected};
  const Index count = read_groups(bound, axes, lists, groups);
  const MatrixView a = view_of(bound.a, axes.a), b = view_of(bound.b, axes.b);
  const TabledRows rows = read_rows(bound, operands, a.rows.extent, axes.d.rows);
  check_row_groups(bound, groups, rows.m);
  Extents shape;
  if (axes.d.batch > 0) shape.push_back(count);
  shape.push_back(rows.m);
  const Index columns = columns_of_d(wish, bound.b, b.cols.extent);
  shape.push_back(columns);
  Extents shape_of_d = shape;
  shape_of_d[shape.size() - 2] = rows.of_d;
  bound.d = output_array(wish, operands, bound.a, shape_of_d, bound.out);
  Problem& problem = bound.problem;
  problem.m = rows.m, problem.n = columns, problem.k = a.cols.extent;
  problem.batch = count;
  problem.groups = groups;
  problem.precision = wish.precision;
  problem.a = plain_operand(a, bound.a, "a");
  if (rows.a) lie_by_rows(problem.a, a);
  problem.b = plain_operand(b, bound.b, "b");
  const MatrixView d = view_of(bound.d, axes.d);
  problem.d = plain_operand(d, bound.d, "out");
  if (rows.d) lie_by_rows(problem.d, d);
  problem.c = problem.d;
  problem.a.rows = rows.a, problem.d.rows = rows.d;
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    check_shape("c", bound.c, shape);
    problem.c = plain_operand(view_of(bound.c, axes.d), bound.c, "c");
  }
  finish(bound, wish, operands);
  bound.args.ends = bound.list.address;
  return bound;
}

}  // namespace

void clear_what_is_made(const Bound& bound, bool is_made) {
  if (bound.problem.groups->kind == GroupKind::k) return;  // whose every element is some group's
  if (is_made) clear_made(bound, bound.d);
  for (const NamedArray& output : bound.outputs)
    if (output.is_made) clear_made(bound, output.array);
}

namespace {

nb::object multiply_groups(nb::handle a, nb::handle b, nb::object offs, nb::object counts,
                           nb::object row_groups, Index expected, nb::object out, nb::object c,
                           double alpha, double beta, nb::object inputs, nb::object outputs,
                           nb::object stream, const std::string& epilogue, const std::string& gate,
                           const std::string& config, nb::object dtype, nb::object out_dtype,
                           nb::object rows_a, nb::object rows_d, const std::string& store) {
  const Wish wish =
      wish_of({epilogue, "f32", config, std::move(dtype), std::move(out_dtype), nb::none(), gate});
  const bool is_made = out.is_none();
  Bound bound = bind_groups(wish,
                            {a, b, std::move(out), std::move(c), std::move(stream),
                             dict_or_empty(inputs), dict_or_empty(outputs), alpha, beta,
                             std::move(rows_a), std::move(rows_d), row_store_of(store)},
                            {std::move(offs), std::move(counts), std::move(row_groups)}, expected);
  check_gradients(bound, a, b);
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  clear_what_is_made(bound, is_made);
  run(bound, *prepared, a);
  return result_of(bound);
}

/// A product of groups whose kernel is there: what it is called with must lie as what it was made
/// with; its list is another each time.
class GroupedProduct {
 public:
  GroupedProduct(Wish wish, const Operands& operands, const Lists& lists, Index expected)
      : wish_(std::move(wish)), expected_(expected) {
    const Bound bound = bind_groups(wish_, operands, lists, expected_);
    key_ = bound.key;
    form_ = bound.a;
    prepared_ = prepared_for(wish_, bound);
  }

  nb::object operator()(nb::handle a, nb::handle b, nb::object offs, nb::object counts,
                        nb::object row_groups, nb::object out, nb::object c, nb::handle alpha,
                        nb::handle beta, nb::object inputs, nb::object outputs, nb::object stream) {
    const bool is_made = out.is_none();
    Bound bound =
        bind_groups(wish_,
                    {a, b, std::move(out), std::move(c), std::move(stream), dict_or_empty(inputs),
                     dict_or_empty(outputs), to_number(alpha, "alpha"), to_number(beta, "beta")},
                    {std::move(offs), std::move(counts), std::move(row_groups)}, expected_);
    if (bound.key != key_ || bound.a.device != form_.device)
      refuse(ErrorCode::not_compatible, "operands", to_string(bound.problem),
             "they must lie as those that it was prepared for",
             to_string(prepared_->gemm.plan().problem));
    check_gradients(bound, a, b);
    clear_what_is_made(bound, is_made);
    run(bound, *prepared_, a);
    return result_of(bound);
  }

  /// The first wrong entry of a run's list on the stream since this was last asked.
  nb::object group_fault(const nb::object& stream) {
    if (form_.device == kHost) return nb::none();  // there the call itself refuses it
    const Stream on{stream.is_none() ? current_stream(form_) : nb::cast<std::uint64_t>(stream)};
    const std::optional<DevicePointer> workspace = kept_workspace(*prepared_, on);
    if (!workspace) return nb::none();
    const std::optional<Index> entry = prepared_->gemm.group_fault(*workspace, on);
    if (!entry) return nb::none();
    prepared_->gemm.clear_workspace(*workspace, on);
    return nb::int_(*entry);
  }

  [[nodiscard]] const Gemm& gemm() const { return prepared_->gemm; }

 private:
  Wish wish_;
  Index expected_;
  std::string key_;
  Array form_;  ///< of the first a
  std::shared_ptr<Prepared> prepared_;
};

void add_grouped_product(nb::module_& core) {
  nb::class_<GroupedProduct> type(
      core, "GroupedProduct", "A prepared product of groups: its kernel is compiled and loaded");
  def_refusing(
      type, "__init__",
      [](GroupedProduct* self, nb::handle a, nb::handle b, const nb::object& offs,
         const nb::object& counts, const nb::object& row_groups, nb::handle expected,
         nb::object out, nb::object c, nb::handle alpha, nb::handle beta, nb::object inputs,
         nb::object outputs, const std::string& epilogue, const std::string& gate,
         const std::string& config, nb::object dtype, nb::object out_dtype) {
        new (self) GroupedProduct(
            wish_of({epilogue, "f32", config, std::move(dtype), std::move(out_dtype), nb::none(),
                     gate}),
            {a, b, std::move(out), std::move(c), nb::none(), dict_or_empty(inputs),
             dict_or_empty(outputs), to_number(alpha, "alpha"), to_number(beta, "beta")},
            {offs, counts, row_groups}, to_index(expected, "expected"));
      },
      "a"_a, "b"_a, "offs"_a = nb::none(), "counts"_a = nb::none(), "row_groups"_a = nb::none(),
      "expected"_a = 0, "out"_a = nb::none(), "c"_a = nb::none(), "alpha"_a = 1.0, "beta"_a = 1.0,
      "inputs"_a = nb::none(), "outputs"_a = nb::none(), "epilogue"_a = "", "gate"_a = "halves",
      "config"_a = "", "dtype"_a = nb::none(), "out_dtype"_a = nb::none());
  def_refusing(type, "__call__", &GroupedProduct::operator(), "a"_a, "b"_a, "offs"_a = nb::none(),
               "counts"_a = nb::none(), "row_groups"_a = nb::none(), "out"_a = nb::none(),
               "c"_a = nb::none(), "alpha"_a = 1.0, "beta"_a = 1.0, "inputs"_a = nb::none(),
               "outputs"_a = nb::none(), "stream"_a = nb::none());
  type.def("group_fault", &GroupedProduct::group_fault, "stream"_a = nb::none(),
           "The first wrong entry of a list on the stream since this was asked, or None; waits")
      .def_prop_ro("plan", [](const GroupedProduct& self) { return self.gemm().plan(); })
      .def_prop_ro("workspace_bytes",
                   [](const GroupedProduct& self) { return self.gemm().workspace_bytes(); });
}

}  // namespace

void add_groups(nb::module_& core) {
  add_grouped_product(core);
  core.def("multiply_groups", multiply_groups, "a"_a, "b"_a, "offs"_a.none(), "counts"_a.none(),
           "row_groups"_a.none(), "expected"_a, "out"_a.none(), "c"_a.none(), "alpha"_a, "beta"_a,
           "inputs"_a.none(), "outputs"_a.none(), "stream"_a.none(), "epilogue"_a, "gate"_a,
           "config"_a, "dtype"_a.none(), "out_dtype"_a.none(), "rows_a"_a.none(), "rows_d"_a.none(),
           "store"_a);
}

}  // namespace jute::python

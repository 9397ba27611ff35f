// From arrays to matrices: whichever way a call's operands are read, one problem comes of them.
#include "grouped.hpp"
#include "integer_lists.hpp"
#include "scaled_operands.hpp"

namespace jute::python {

namespace {

/// The axes of a matrix, or of a vector that lacks one, behind those of a batch.
Axes matrix_axes(int rank, const char* name, bool is_left) {
  if (rank == 0)
    refuse(ErrorCode::wrong_arity, name, "no axes", "a product's operand must have axes", "2 axes");
  if (rank == 1) return is_left ? Axes{0, {}, 0} : Axes{0, 0, {}};
  return {rank - 2, rank - 2, rank - 1};
}

/// The array with its batch axes repeated as numpy does it: by strides of 0.
Array broadcast(const Array& array, int own_batch, const Extents& batch) {
  Array wide = array;
  const auto own = static_cast<std::size_t>(own_batch), wanted = batch.size();
  const auto rest = static_cast<std::size_t>(array.rank) - own;
  wide.rank = static_cast<int>(wanted + rest);
  if (wide.rank > kMostAxes) {
    const std::string most = std::to_string(kMostAxes - 2);
    refuse(ErrorCode::out_of_range, "batch", std::to_string(wanted) + " axes",
           "a matrix must have at most " + most + " batch axes", most);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    const bool is_there = i + own >= wanted;
    const std::size_t from = i + own - wanted;
    const bool repeats = !is_there || array.extent[from] != batch[i];
    wide.extent[i] = batch[i];
    wide.stride[i] = repeats ? 0 : array.stride[from];
  }
  for (std::size_t i = 0; i < rest; ++i) {
    wide.extent[wanted + i] = array.extent[own + i];
    wide.stride[wanted + i] = array.stride[own + i];
  }
  return wide;
}

Extents common_batch(const Array& a, int axes_of_a, const Array& b, int axes_of_b) {
  const auto of_a = static_cast<std::size_t>(axes_of_a), of_b = static_cast<std::size_t>(axes_of_b);
  Extents batch;
  for (std::size_t from_end = std::max(of_a, of_b); from_end > 0; --from_end) {
    const Index left = from_end <= of_a ? a.extent[of_a - from_end] : 1;
    const Index right = from_end <= of_b ? b.extent[of_b - from_end] : 1;
    if (left != right && left != 1 && right != 1)
      refuse_shape("b", b.extents(), "the batch axes of a and b must be equal, or 1", {left});
    batch.push_back(left == 1 ? right : left);
  }
  return batch;
}

/// a, b and d as matrices, and the shape of a times b.
struct Views {
  MatrixView a, b;
  Axes d_axes;
  Extents shape;
};

/// An operand beside batches: a vector keeps its one axis behind them.
MatrixView repeated_view(const Array& array, const Axes& own, const Extents& batch) {
  const Array repeated = broadcast(array, own.batch, batch);
  Axes axes = own;
  axes.batch = static_cast<int>(batch.size());
  const int moved = axes.batch - own.batch;
  if (axes.rows) *axes.rows += moved;
  if (axes.cols) *axes.cols += moved;
  return view_of(repeated, axes);
}

/// As numpy.matmul: vectors lose an axis, batches are repeated.
Views views_of(const Array& a, const Array& b) {
  const Axes of_a = matrix_axes(a.rank, "a", true), of_b = matrix_axes(b.rank, "b", false);
  Views views;
  if (of_a.batch == 0 && of_b.batch == 0) {
    views.a = view_of(a, of_a);
    views.b = view_of(b, of_b);
  } else {
    views.shape = common_batch(a, of_a.batch, b, of_b.batch);
    views.a = repeated_view(a, of_a, views.shape);
    views.b = repeated_view(b, of_b, views.shape);
  }
  views.d_axes.batch = static_cast<int>(views.shape.size());
  const auto add = [&](std::optional<int>& index, Index extent) {
    index = static_cast<int>(views.shape.size());
    views.shape.push_back(extent);
  };
  if (a.rank > 1) add(views.d_axes.rows, views.a.rows.extent);
  if (b.rank > 1) add(views.d_axes.cols, views.b.cols.extent);
  return views;
}

/// Binds groups, or scaled operands, which have one matrix each.
Views views_of_groups(Bound& bound, const Wish& wish, const Array& a, const Array& b,
                      const Operands& operands) {
  constexpr Axes kOne{0, 0, 1};
  static const GroupedAxes kAlone{2, 2, GroupKind::rows, kOne, kOne, kOne};
  const bool has_groups = wish.reading == Reading::groups || operands.lists.are_said();
  const GroupedAxes& axes = has_groups ? axes_of_groups(a, b) : kAlone;
  Views views{view_of(a, axes.a), view_of(b, axes.b), axes.d, {}};
  if (has_groups) {
    Groups groups{.kind = axes.kind, .expected = operands.expected};
    bound.problem.batch = read_groups(bound, a, b, operands.lists, groups);
    bound.problem.groups = groups;
    if (axes.d.batch > 0) views.shape.push_back(bound.problem.batch);
  }
  views.shape.push_back(views.a.rows.extent);
  views.shape.push_back(views.b.cols.extent);
  return views;
}

void check_k(const Views& views, const Array& b) {
  const Index k = views.a.cols.extent;
  if (views.b.rows.extent == k) return;
  Extents nearest = b.extents();
  nearest[nearest.size() > 1 ? nearest.size() - 2 : 0] = k;
  refuse_shape("b", b.extents(),
               "it must have as many rows as a has columns (" + std::to_string(k) + ")", nearest);
}

/// How the planner describes an operand of a call.
Matrix matrix_of(const Wish& wish, const MatrixView& view, const Array& array, const char* name,
                 Coordinates coordinates = Coordinates::rows_first) {
  if (wish.reading != Reading::plain) return plain_operand(view, array, name);
  if (wish.numbers == ViewNumbers::run_time)
    return run_time_operand(view, array, name, coordinates);
  return operand(view, array, name, coordinates);
}

/// The elements of a and b; `bound` gets them as they lie.
std::pair<Array, Array> read_operands(Bound& bound, const Wish& wish, const Operands& operands) {
  if (wish.reading == Reading::scaled) {
    const auto [a, b] = read_scaled(operands);
    bound.a = a.bytes, bound.b = b.bytes;
    return {a.elements, b.elements};
  }
  bound.a = operands.array_a ? *operands.array_a : array_of(operands.a, "a", wish.dtype);
  bound.b = operands.array_b ? *operands.array_b : array_of(operands.b, "b", wish.dtype);
  return {bound.a, bound.b};
}

/// The type of a result that nobody says.
Wish with_result(const Wish& wish, const Problem& problem, const Operands& operands) {
  Wish whole = wish;
  if (!wish.out_dtype && operands.out.is_none()) whole.out_dtype = usual_result(problem);
  return whole;
}

/// D and C, whose rows a table may name.
void add_results(Bound& bound, const Wish& wish, const Operands& operands, const Axes& axes,
                 const Extents& shape, const TabledRows& rows) {
  Problem& problem = bound.problem;
  Extents shape_of_d = shape;
  if (axes.rows) shape_of_d[static_cast<std::size_t>(*axes.rows)] = rows.of_d;
  bound.d = output_array(wish, operands, bound.a, shape_of_d, bound.out);
  const MatrixView d = view_of(bound.d, axes);
  problem.d = matrix_of(wish, d, bound.d, "out");
  if (rows.d) lie_by_rows(problem.d, d);
  problem.c = problem.d;
  problem.d.rows = rows.d;
  read_c(bound, wish, operands, shape);
  if (bound.has_c) problem.c = matrix_of(wish, view_of(bound.c, axes), bound.c, "c");
}

}  // namespace

Bound bind(const Wish& wish, const Operands& operands) {
  Bound bound;
  Problem& problem = bound.problem;
  const bool is_plain_call = wish.reading == Reading::plain;
  const auto [a, b] = read_operands(bound, wish, operands);
  Views views = is_plain_call ? views_of(a, b) : views_of_groups(bound, wish, a, b, operands);
  check_k(views, b);
  const Index columns = columns_of_d(wish, bound.b, views.b.cols.extent);
  if (views.d_axes.cols) views.shape[static_cast<std::size_t>(*views.d_axes.cols)] = columns;
  const TabledRows rows = read_rows(bound, operands, views.a.rows.extent, views.d_axes.rows);
  if (views.d_axes.rows) views.shape[static_cast<std::size_t>(*views.d_axes.rows)] = rows.m;
  if (problem.groups) check_row_groups(bound, *problem.groups, rows.m);
  problem.m = rows.m, problem.n = columns, problem.k = views.a.cols.extent;
  if (is_plain_call) {
    const Index of_a = views.a.batch.extent(), of_b = views.b.batch.extent();
    problem.batch = std::min(of_a, of_b) == 0 ? 0 : std::max(of_a, of_b);
  }
  problem.precision = wish.precision;
  problem.m_range = wish.m_range;
  problem.a = matrix_of(wish, views.a, a, "a");
  problem.b = matrix_of(wish, views.b, b, "b", Coordinates::columns_first);
  if (rows.a) lie_by_rows(problem.a, views.a);
  problem.a.rows = rows.a;
  const bool is_scaled = wish.reading == Reading::scaled;
  if (is_scaled) add_scales(bound, operands, a.rank, b.rank);
  add_results(bound, is_scaled ? with_result(wish, problem, operands) : wish, operands,
              views.d_axes, views.shape, rows);
  finish(bound, wish, operands);
  bound.args.m = problem.m;
  if (problem.groups) bound.args.ends = bound.list.address;
  return bound;
}

}  // namespace jute::python

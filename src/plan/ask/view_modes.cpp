// Views taken apart, joined to the fewest modes, and put together again; what of them threads move
// together.
#include "plan/ask/view_modes.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/view_together.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/format.hpp"

namespace jute {
namespace plan {
namespace {

/// A dimension of the box that a stride steps along; a plain number along the first.
int axis_of(const layout::Path* path, const ViewModes& modes) {
  const bool is_plain = path == nullptr || path->empty();
  const Index rank = static_cast<Index>(modes.box.size());
  const Index axis = is_plain ? 0 : static_cast<Index>(path->front());
  const bool is_nested = !is_plain && path->size() > 1;
  if (axis < rank && !is_nested && (!is_plain || rank == 1)) return static_cast<int>(axis);
  refuse(
      ErrorCode::out_of_range, "view",
      is_plain ? std::string("a plain stride") : base::format("@{}", axis),
      base::format("a stride must step along one of the {} dimensions of the box, as in 1@0", rank),
      base::format("@{}", std::min(axis, rank - 1)));
}

std::vector<ViewMode> leaves_of(const layout::LayoutView& mode, const ViewModes& modes) {
  std::vector<ViewMode> leaves;
  for (int i = 0; i < mode.leaves; ++i)
    leaves.push_back({mode.shape[i],
                      mode.stride[i] == 0 && (mode.paths == nullptr || mode.paths[i].empty())
                          ? 0
                          : axis_of(mode.paths == nullptr ? nullptr : mode.paths + i, modes),
                      mode.stride[i]});
  return leaves;
}

/// Steps of none are steps along the first dimension; neighbours that go on where the last ended
/// are one.
std::vector<ViewMode> joined_modes(const std::vector<ViewMode>& modes) {
  std::vector<ViewMode> joined;
  for (ViewMode mode : modes) {
    if (mode.extent == 1) continue;
    if (mode.stride == 0) mode.axis = 0;
    if (!joined.empty() && joined.back().axis == mode.axis &&
        mode.stride == checked_mul(joined.back().extent, joined.back().stride, "view"))
      joined.back().extent = checked_mul(joined.back().extent, mode.extent, "view");
    else
      joined.push_back(mode);
  }
  return joined;
}

/// Places of the box become elements where all of them lie inside.
void dissolve_box(ViewModes& modes) {
  Index origin = 0;
  for (std::size_t axis = 0; axis < modes.box.size(); ++axis)
    origin = checked_add(origin, checked_mul(modes.origin[axis], modes.box[axis].stride, "view"),
                         "view");
  for (auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (ViewMode& mode : *list) {
      const Index of = modes.box[static_cast<std::size_t>(mode.axis)].stride;
      mode = {mode.extent, 0, checked_mul(mode.stride, of, "view")};
    }
  modes.box = {{0, 1}};
  modes.origin = {origin};
  modes.outside = OutsideBox::promised_inside;
}

/// The place along each dimension that a coordinate adds.
void step(std::vector<Index>& place, const std::vector<ViewMode>& modes, Index coordinate) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const bool is_last = i + 1 == modes.size();
    const Index at = is_last ? coordinate : coordinate % modes[i].extent;
    place[static_cast<std::size_t>(modes[i].axis)] += at * modes[i].stride;
    coordinate /= modes[i].extent;
  }
}

void write_mode(LayoutBuilder& builder, const std::vector<ViewMode>& modes, bool has_box) {
  const auto leaf = [&](const ViewMode& mode) {
    if (has_box && mode.stride != 0)
      builder.leaf(mode.extent, mode.stride, layout::Path(1, static_cast<char32_t>(mode.axis)));
    else
      builder.leaf(mode.extent, mode.stride);
  };
  if (modes.empty()) return builder.leaf(1, 0);
  if (modes.size() == 1) return leaf(modes.front());
  builder.open();
  for (const ViewMode& mode : modes) leaf(mode);
  builder.close();
}

/// One mode's stride; of a mode of one none.
std::optional<Index> only_stride(const std::vector<ViewMode>& modes, Index of_one) {
  if (modes.empty()) return of_one;
  return modes.size() == 1 ? std::optional(modes.front().stride) : std::nullopt;
}

}  // namespace

Index size_of(const std::vector<ViewMode>& modes) {
  Index size = 1;
  for (const ViewMode& mode : modes) size = checked_mul(size, mode.extent, "view");
  return size;
}

std::vector<Reach> reaches(const ViewModes& modes) {
  std::vector<Reach> list;
  for (const Index origin : modes.origin) list.push_back({origin, origin});
  for (const auto* each : {&modes.rows, &modes.columns, &modes.batch})
    for (const ViewMode& mode : *each) {
      Reach& reach = list[static_cast<std::size_t>(mode.axis)];
      Index& end = mode.stride < 0 ? reach.lowest : reach.highest;
      end = checked_add(end, checked_mul(mode.extent - 1, mode.stride, "view"), "view");
    }
  return list;
}

bool is_inside(const ViewModes& modes) {
  const std::vector<Reach> list = reaches(modes);
  for (std::size_t axis = 0; axis < list.size(); ++axis) {
    const Index extent = modes.box[axis].extent;
    if (list[axis].lowest < 0 || (extent > 0 && list[axis].highest >= extent)) return false;
  }
  return true;
}

ViewModes canonical_modes(const View& view) {
  ViewModes modes = modes_of(view);
  if (modes.outside == OutsideBox::promised_inside || is_inside(modes)) dissolve_box(modes);
  for (auto* list : {&modes.rows, &modes.columns, &modes.batch}) *list = joined_modes(*list);
  if (std::ranges::all_of(modes.batch, [](const ViewMode& mode) { return mode.stride == 0; }))
    modes.batch.clear();
  return modes;
}

std::optional<PlainMatrix> plain_matrix(const ViewModes& modes) {
  if (modes.outside != OutsideBox::promised_inside || modes.origin != std::vector<Index>{0})
    return std::nullopt;
  const Index rows = size_of(modes.rows), columns = size_of(modes.columns);
  const auto row = only_stride(modes.rows, columns), column = only_stride(modes.columns, 1),
             row_of_column = only_stride(modes.rows, 1),
             column_of_row = only_stride(modes.columns, rows), batch = only_stride(modes.batch, 0);
  if (!row || !column || !batch || *batch < 0) return std::nullopt;
  PlainMatrix plain{.batch_stride_elems = *batch};
  if (*column == 1 && *row >= columns)
    plain.ld_elems = *row;
  else if (*row_of_column == 1 && *column_of_row >= rows)
    plain = {Order::col, *column_of_row, *batch};
  else
    return std::nullopt;
  return plain;
}

Order order_of(const ViewModes& modes) {
  const auto has_run = [](const std::vector<ViewMode>& list) {
    return !list.empty() && list.front().stride == 1;
  };
  return has_run(modes.rows) && !has_run(modes.columns) ? Order::col : Order::row;
}

Index contiguous_elems(const ViewModes& modes, Index most) {
  const std::vector<ViewMode>& lines = order_of(modes) == Order::col ? modes.rows : modes.columns;
  const auto box = [&](int axis) { return modes.box[static_cast<std::size_t>(axis)]; };
  if (lines.empty() || lines.front().stride != 1 || box(lines.front().axis).stride != 1) return 1;
  const ViewMode& run = lines.front();
  Index elems = most;
  if (lines.size() > 1) elems = std::gcd(elems, run.extent);
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (const ViewMode& mode : *list)
      if (&mode != &run) elems = std::gcd(elems, mode.stride * box(mode.axis).stride);
  for (std::size_t axis = 0; axis < modes.box.size(); ++axis)
    elems = std::gcd(elems, modes.origin[axis] * modes.box[axis].stride);
  // Whoever leaves the box leaves it with whole runs.
  return modes.outside == OutsideBox::zero ? std::gcd(elems, box(run.axis).extent) : elems;
}

}  // namespace plan

std::optional<Index> ViewModes::element(Index row, Index column, Index matrix) const {
  std::vector<Index> place = origin;
  plan::step(place, rows, row);
  plan::step(place, columns, column);
  plan::step(place, batch, matrix);
  Index at = 0;
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    const bool is_out = place[axis] < 0 || place[axis] >= box[axis].extent;
    if (outside == OutsideBox::zero && is_out) return std::nullopt;
    at += place[axis] * box[axis].stride;
  }
  return at;
}

ViewModes modes_of(const View& view) {
  const int rank = view.coordinates.is_leaf() ? 0 : view.coordinates.rank();
  if (rank != 2 && rank != 3)
    refuse(ErrorCode::not_congruent, "view", to_string(view.coordinates),
           "the coordinates of a View must have two modes, or three: the batch behind them");
  ViewModes modes{view.box, view.origin, view.outside, {}, {}, {}};
  if (modes.box.empty()) modes.box = {{0, 1}};
  if (modes.origin.empty()) modes.origin.resize(modes.box.size());
  if (modes.origin.size() != modes.box.size())
    refuse(ErrorCode::not_congruent, "view",
           base::format("an origin of {} numbers", modes.origin.size()),
           base::format("the origin must have one for each of the {} dimensions of the box",
                        modes.box.size()));
  layout::Modes each(view.coordinates.view());
  modes.rows = plan::leaves_of(each.next(), modes);
  modes.columns = plan::leaves_of(each.next(), modes);
  if (!each.done()) modes.batch = plan::leaves_of(each.next(), modes);
  return modes;
}

Index span_elems(const View& view) {
  const ViewModes modes = modes_of(view);
  const std::vector<plan::Reach> reached = plan::reaches(modes);
  Index last = 0;
  for (std::size_t axis = 0; axis < reached.size(); ++axis) {
    const Index extent = modes.box[axis].extent;
    const Index highest =
        extent > 0 ? std::min(reached[axis].highest, extent - 1) : reached[axis].highest;
    if (highest < 0) return 0;  // zeros stand for all of it
    last = checked_add(last, checked_mul(highest, modes.box[axis].stride, "view"), "view");
  }
  return last + 1;
}

View canonical(const View& view) {
  if (view.numbers == ViewNumbers::run_time) return view;
  ViewModes modes = plan::canonical_modes(view);
  const bool has_box = modes.outside == OutsideBox::zero;
  LayoutBuilder builder;
  builder.open();
  plan::write_mode(builder, modes.rows, has_box);
  plan::write_mode(builder, modes.columns, has_box);
  if (!modes.batch.empty()) plan::write_mode(builder, modes.batch, has_box);
  builder.close();
  View result{builder.take(), {}, {}, modes.outside};
  if (has_box) result.box = std::move(modes.box);
  const bool is_corner = std::ranges::all_of(modes.origin, [](Index at) { return at == 0; });
  if (!is_corner) result.origin = std::move(modes.origin);
  return result;
}

namespace {

constexpr int kBytesOfThread = 16, kMostLanesAcross = 4;
/// Elements from one to the next: beyond, most of the chunks that are read would be others'.
constexpr Index kLongestStepRead = 8;

Index elements(const ViewModes& modes, const ViewMode& mode) {
  return mode.stride * modes.box[static_cast<std::size_t>(mode.axis)].stride;
}

/// A power of two of elements, at most `most`, whose multiples all places are that the other modes
/// lead to.
Index common_elems(const ViewModes& modes, const ViewMode& but, Index most) {
  Index elems = most;
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (const ViewMode& mode : *list)
      if (&mode != &but) elems = std::gcd(elems, elements(modes, mode));
  for (std::size_t axis = 0; axis < modes.box.size(); ++axis)
    elems = std::gcd(elems, modes.origin[axis] * modes.box[axis].stride);
  if (modes.outside == OutsideBox::zero)  // whoever leaves the box leaves it with all of them
    elems = std::gcd(elems, modes.box[static_cast<std::size_t>(but.axis)].extent);
  return elems;
}

/// The first mode whose neighbours lie side by side, with at least a chunk of them.
const ViewMode* neighbours_of(const ViewModes& modes, const std::vector<ViewMode>& outer,
                              Index chunk) {
  const auto found = std::ranges::find_if(outer, [&](const ViewMode& mode) {
    return elements(modes, mode) == 1 && mode.extent >= chunk;
  });
  return found == outer.end() ? nullptr : &*found;
}

AcrossRows across_rows(const std::vector<ViewMode>& outer, const ViewMode& neighbours,
                       Index chunk) {
  AcrossRows across{.lanes = kMostLanesAcross};
  for (const ViewMode* mode = outer.data(); mode != &neighbours; ++mode)
    across.unit *= mode->extent;
  if (&neighbours != &outer.back()) across.extent = neighbours.extent;
  while ((across.lanes / 2) * chunk >= neighbours.extent) across.lanes /= 2;
  return across;
}

}  // namespace

ViewTogether view_together(const View& view, RowsOfCopy rows, int width_bytes,
                           int alignment_bytes) {
  if (view.numbers == ViewNumbers::run_time || width_bytes >= kBytesOfThread) return {};
  const ViewModes modes = modes_of(view);
  const bool along_columns = rows == RowsOfCopy::along_columns;
  const std::vector<ViewMode>&inner = along_columns ? modes.columns : modes.rows,
        &outer = along_columns ? modes.rows : modes.columns;
  const Index chunk = kBytesOfThread / width_bytes;
  const Index aligned = std::gcd(chunk, Index{std::max(1, alignment_bytes / width_bytes)});
  const bool is_boxed = modes.outside == OutsideBox::zero;
  if (!inner.empty()) {
    const ViewMode& first = inner.front();
    Index elems = common_elems(modes, first, aligned);
    if (inner.size() > 1) elems = std::gcd(elems, first.extent);
    if (elements(modes, first) == 1) return {.elems = static_cast<int>(elems)};
    const bool is_short = elements(modes, first) > 1 && elements(modes, first) <= kLongestStepRead;
    if (!is_boxed && is_short && elems == chunk)
      return {.step = static_cast<int>(elements(modes, first))};
  }
  if (is_boxed) return {};
  const ViewMode* neighbours = neighbours_of(modes, outer, chunk);
  if (neighbours == nullptr) return {};
  const Index elems = common_elems(modes, *neighbours, aligned);
  return {.elems = static_cast<int>(elems), .across = across_rows(outer, *neighbours, chunk)};
}

}  // namespace jute

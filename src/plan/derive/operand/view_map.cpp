// Finds the dimensions along which a box of a tile runs through a View.
#include "plan/derive/operand/view_map.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/view.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {
namespace {

constexpr size_t kMostDimensions = 5, kLeastDimensions = 3;
constexpr Index kMostPlaces = 256, kMostStep = 8, kChunkBytes = 16;

/// Each mode of a View without zeros is a dimension of its own: it ends where the mode does.
ViewModes apart(ViewModes modes) {
  if (modes.outside == OutsideBox::zero) return modes;
  modes.box.clear();
  for (auto* list : {&modes.rows, &modes.columns, &modes.batch})
    for (ViewMode& mode : *list) {
      const auto axis = static_cast<int>(modes.box.size());
      modes.box.push_back({mode.extent, mode.stride});
      mode = {mode.extent, axis, 1};
    }
  return modes;
}

/// A View's dimensions, in its own order, as boxes of one shape take them.
class MapOfBoxes {
 public:
  MapOfBoxes(const BoxedView& boxed, ViewModes modes)
      : boxed_(boxed),
        modes_(std::move(modes)),
        inner_(boxed.order == Order::row ? modes_.columns : modes_.rows),
        outer_(boxed.order == Order::row ? modes_.rows : modes_.columns) {
    for (size_t axis = 0; axis < modes_.box.size(); ++axis)
      dims_.push_back({modes_.box[axis].extent, modes_.box[axis].stride, 1, 1, origin(axis), {}});
    add_steps(BoxCoordinate::inner, inner_);
    add_steps(BoxCoordinate::outer, outer_);
    add_steps(BoxCoordinate::matrix, modes_.batch);
  }

  [[nodiscard]] std::optional<ViewMap> of(Index inner, Index outer) {
    if (!has_run(inner) || !has_rows(outer) || !are_legal()) return std::nullopt;
    ViewMap map;
    if (boxed_.k) {
      const bool is_inner = *boxed_.k == BoxCoordinate::inner;
      Index& end = is_inner ? map.inner_end : map.outer_end;
      if (!ends_with_k(is_inner ? inner_ : outer_, is_inner ? inner : outer, end))
        return std::nullopt;
    }
    for (const size_t axis : order_) map.dims.push_back(dims_[axis]);
    for (size_t axis = 0; axis < dims_.size(); ++axis)
      if (std::ranges::find(order_, axis) == order_.end()) map.dims.push_back(dims_[axis]);
    while (map.dims.size() < kLeastDimensions) map.dims.push_back({});
    return map;
  }

 private:
  [[nodiscard]] Index origin(size_t axis) const {
    return modes_.outside == OutsideBox::zero ? modes_.origin[axis] : 0;
  }

  void add_steps(BoxCoordinate of, const std::vector<ViewMode>& modes) {
    Index unit = 1;
    for (size_t i = 0; i < modes.size(); ++i) {
      const Index extent = i + 1 == modes.size() ? 0 : modes[i].extent;
      if (modes[i].stride != 0)
        dim_of(modes[i]).steps.push_back({of, unit, extent, modes[i].stride});
      unit *= modes[i].extent;
    }
  }

  [[nodiscard]] MapDimension& dim_of(const ViewMode& mode) {
    return dims_[static_cast<size_t>(mode.axis)];
  }

  /// The box takes so many places of a dimension that none of its others run along.
  [[nodiscard]] bool takes(const ViewMode& mode, Index count) {
    const auto axis = static_cast<size_t>(mode.axis);
    const bool is_taken = std::ranges::find(order_, axis) != order_.end();
    if (is_taken || mode.stride < 1 || mode.stride > kMostStep || count * mode.stride > kMostPlaces)
      return false;
    dims_[axis].box = count * mode.stride;
    dims_[axis].step = mode.stride;
    order_.push_back(axis);
    return true;
  }

  [[nodiscard]] bool has_run(Index inner) {
    if (inner_.empty()) return false;
    const ViewMode& run = inner_.front();
    const bool is_cut = inner_.size() > 1 && run.extent % inner != 0;
    return !is_cut && run.stride == 1 && dim_of(run).stride == 1 && takes(run, inner);
  }

  [[nodiscard]] bool has_rows(Index rows) {
    for (size_t i = 0; i < outer_.size() && rows > 1; ++i) {
      const Index extent = i + 1 == outer_.size() ? rows : outer_[i].extent;
      const Index count = rows % extent == 0 ? extent : rows;
      if (extent % count != 0 || !takes(outer_[i], count)) return false;
      rows /= count;
    }
    return rows == 1;
  }

  [[nodiscard]] bool are_legal() const {
    const Index width = width_bytes(boxed_.type);
    const auto is_legal = [&](const MapDimension& dim) {
      const bool is_contiguous = &dim == &dims_[order_.front()];
      return dim.extent > 0 && dim.stride >= 0 &&
             (is_contiguous || dim.stride * width % kChunkBytes == 0);
    };
    return dims_.size() <= kMostDimensions && std::ranges::all_of(dims_, is_legal);
  }

  /// Past K there must be zeros in A and B both: where the map has none, boxes begin past K or end
  /// ahead of it, and those go where nothing is.
  [[nodiscard]] bool ends_with_k(const std::vector<ViewMode>& modes, Index box, Index& end) {
    Index k = 1;
    for (const ViewMode& mode : modes) k *= mode.extent;
    if (modes.empty() || k % std::max<Index>(boxed_.tile_k, 1) == 0) return true;
    const MapDimension& last = dim_of(modes.back());
    if (last.steps.size() == 1 && modes.back().stride > 0 &&
        last.first + modes.back().extent * modes.back().stride >= last.extent)
      return true;
    end = k;
    return k % box == 0;
  }

  const BoxedView& boxed_;
  ViewModes modes_;
  const std::vector<ViewMode>&inner_, &outer_;
  std::vector<MapDimension> dims_;
  std::vector<size_t> order_;  ///< of those that a box runs along
};

Order turned(Order order) { return order == Order::row ? Order::col : Order::row; }

}  // namespace

std::optional<ViewMap> view_map(const BoxedView& boxed, Index inner, Index outer) {
  ViewModes modes = modes_of(boxed.view);
  const bool has_zeros = modes.outside == OutsideBox::zero;
  const Index offset = has_zeros ? 0 : modes.origin.front();
  if (offset < 0 || offset * width_bytes(boxed.type) % kChunkBytes != 0) return std::nullopt;
  std::optional<ViewMap> map = MapOfBoxes(boxed, apart(std::move(modes))).of(inner, outer);
  if (map) map->offset_elems = offset;
  return map;
}

BoxFits fits_view(std::optional<BoxedView> boxed) {
  if (!boxed) return {};
  return [view = *boxed](Index inner, Index outer) {
    return view_map(view, inner, outer).has_value();
  };
}

Index run_of_view(const View& view, Order order) {
  const ViewModes modes = modes_of(view);
  const std::vector<ViewMode>& inner = order == Order::row ? modes.columns : modes.rows;
  return inner.size() > 1 ? inner.front().extent : 0;
}

std::optional<BoxedView> boxed_view(const OperandPlan& operand, Index tile_k) {
  if (!tma_of(operand).boxed) return std::nullopt;
  const bool is_along_k = operand.major == Major::k;
  return BoxedView{*tma_of(operand).boxed, is_along_k ? Order::row : Order::col, operand.type,
                   is_along_k ? BoxCoordinate::inner : BoxCoordinate::outer, tile_k};
}

std::optional<BoxedView> boxed_view(const EpiloguePlan& out, bool transposed) {
  if (!out.d_boxed) return std::nullopt;
  return BoxedView{*out.d_boxed, transposed ? turned(out.d_order) : out.d_order, out.d_type, {}, 0};
}

std::optional<BoxedView> boxed_view_of_c(const EpiloguePlan& out, bool transposed) {
  if (!out.c_boxed || c_read(out.expression) == CRead::never) return std::nullopt;
  return BoxedView{*out.c_boxed, transposed ? turned(out.c_order) : out.c_order, out.c_type, {}, 0};
}

bool has_places_past_m(const BoxedView& d) { return modes_of(d.view).rows.size() > 1; }

}  // namespace jute::plan

namespace jute {
namespace {

std::string place_text(const MapDimension& dim) {
  constexpr std::array<std::string_view, 3> kNames{"inner", "outer", "matrix"};
  std::string text;
  for (const MapStep& step : dim.steps) {
    text += (text.empty() ? "" : " + ") + std::string(kNames.at(static_cast<size_t>(step.of)));
    if (step.unit > 1) text += base::format(" / {}", step.unit);
    if (step.extent > 0) text += base::format(" % {}", step.extent);
    if (step.stride != 1) text += base::format(" * {}", step.stride);
  }
  if (dim.first != 0 || text.empty())
    text += (text.empty() ? "" : " from ") + std::to_string(dim.first);
  return text;
}

}  // namespace

std::string to_string(const ViewMap& map) {
  std::string text;
  for (const MapDimension& dim : map.dims)
    text += base::format("{}({}:{} box {}{} at {})", text.empty() ? "" : " ", dim.extent,
                         dim.stride, dim.box / dim.step,
                         dim.step > 1 ? base::format(" every {}", dim.step) : "", place_text(dim));
  if (map.offset_elems > 0) text += base::format(" from {}", map.offset_elems);
  if (const Index end = std::max(map.inner_end, map.outer_end); end > 0)
    text += base::format(", nothing past {}", end);
  return text;
}

}  // namespace jute

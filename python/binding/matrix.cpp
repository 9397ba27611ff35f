// Merges axes, and tells the planner how a matrix lies.
#include "matrix.hpp"

#include <bit>

namespace jute::python {

namespace {

std::string shape_text(const Array& array) {
  std::string shape = "(", stride = "(";
  for (int i = 0; i < array.rank; ++i) {
    const auto at = static_cast<std::size_t>(i);
    shape += (i > 0 ? "," : "") + std::to_string(array.extent[at]);
    stride += (i > 0 ? "," : "") + std::to_string(array.stride[at]);
  }
  return shape + "):" + stride + ")";
}

Mode merged(const Array& array, const std::vector<int>& axes, const char* name, const char* index) {
  Mode mode;
  bool is_first = true;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    const Index extent = array.extent[axis], stride = array.stride[axis];
    if (extent == 1) continue;
    if (is_first) {
      mode = {extent, stride};
    } else if (stride == mode.stride * mode.extent) {
      mode.extent *= extent;
    } else if (extent == 0 || mode.extent == 0) {
      mode.extent = 0;
    } else {
      refuse(ErrorCode::unsupported, name, shape_text(array),
             std::string("the axes that are its ") + index +
                 " must lie as one: each stride the next one's times its extent",
             std::to_string(mode.stride * mode.extent));
    }
    is_first = false;
  }
  return mode;
}

[[noreturn]] void refuse_strides(const MatrixView& view, const char* name) {
  refuse(
      ErrorCode::unsupported, name,
      "strides (" + std::to_string(view.rows.stride) + "," + std::to_string(view.cols.stride) + ")",
      "one of the two indices must be contiguous (stride 1), and the other step forward by at "
      "least the length of that",
      "(" + std::to_string(std::max<Index>(view.cols.extent, 1)) + ",1)");
}

}  // namespace

MatrixView view_of(const Array& array, const Axes& axes, const char* name) {
  return {merged(array, axes.batch, name, "batch"), merged(array, axes.rows, name, "rows"),
          merged(array, axes.cols, name, "columns")};
}

Matrix matrix_of(const MatrixView& view, DType type, int alignment_bytes, const char* name) {
  const bool by_rows = view.cols.extent <= 1 || view.cols.stride == 1;
  const bool by_cols = view.rows.extent <= 1 || view.rows.stride == 1;
  if (!by_rows && !by_cols) refuse_strides(view, name);
  // A vector lies both ways: the one without a step wins.
  const bool is_row = by_rows && (!by_cols || view.rows.extent <= 1 || view.cols.extent > 1 ||
                                  view.rows.stride != 1);
  const Mode& outer = is_row ? view.rows : view.cols;
  const Mode& inner = is_row ? view.cols : view.rows;
  Matrix matrix{type, is_row ? Order::row : Order::col};
  matrix.ld_elems = std::max<Index>(inner.extent, 1);
  if (outer.extent > 1) {
    if (outer.stride < matrix.ld_elems) refuse_strides(view, name);
    matrix.ld_elems = outer.stride;
  }
  matrix.alignment_bytes = std::max(alignment_bytes, width_bytes(type));
  if (view.batch.extent > 1) {
    if (view.batch.stride < 0)
      refuse(ErrorCode::unsupported, name, "batch stride " + std::to_string(view.batch.stride),
             "a batch must step forward");
    matrix.broadcast = view.batch.stride == 0;
    matrix.batch_stride_elems = view.batch.stride;
  }
  return matrix;
}

int alignment_of(std::uint64_t address, int most) {
  if (address == 0) return most;
  return static_cast<int>(std::min<std::uint64_t>(std::uint64_t{1} << std::countr_zero(address),
                                                  static_cast<std::uint64_t>(most)));
}

Matrix operand(const MatrixView& view, const Array& array, const char* name) {
  return matrix_of(view, array.type, alignment_of(array.address), name);
}

void refuse_shape(const char* name, const Extents& given, const std::string& rule,
                  const Extents& nearest) {
  const auto text = [](const Extents& extents) {
    std::vector<IntTuple> modes(extents.begin(), extents.end());
    return to_string(IntTuple::tuple(modes));
  };
  refuse(ErrorCode::not_compatible, name, text(given), rule, text(nearest));
}

Extents extents_of(const Array& array) {
  return {array.extent.begin(), array.extent.begin() + array.rank};
}

Index span_bytes(const Array& array) {
  Index last = 0;
  for (int i = 0; i < array.rank; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (array.extent[at] == 0) return 0;
    last += (array.extent[at] - 1) * array.stride[at];
  }
  return (last + 1) * width_bytes(array.type);
}

}  // namespace jute::python

// Tells the planner how a matrix lies.
#include "matrix.hpp"

#include <bit>

namespace jute::python {

namespace {

std::string numbers_text(const Extents& numbers) {
  std::vector<IntTuple> modes(numbers.begin(), numbers.end());
  return to_string(IntTuple::tuple(modes));
}

Mode mode_of(const Array& array, std::optional<int> axis) {
  if (!axis) return {};
  const auto at = static_cast<std::size_t>(*axis);
  return {array.extent[at], array.stride[at]};
}

BatchModes batch_of(const Array& array, int axes) {
  BatchModes modes;
  for (int i = axes; i-- > 0;) {
    const Mode mode = mode_of(array, i);
    if (mode.extent == 1) continue;
    Mode* const inner =
        modes.count > 0 ? &modes.at[static_cast<std::size_t>(modes.count - 1)] : nullptr;
    if (inner != nullptr && mode.stride == inner->stride * inner->extent)
      inner->extent *= mode.extent;
    else
      modes.at[static_cast<std::size_t>(modes.count++)] = mode;
  }
  return modes;
}

bool is_empty(const MatrixView& view) {
  return view.rows.extent == 0 || view.cols.extent == 0 || view.batch.extent() == 0;
}

/// By order and strides, where they say it.
std::optional<Matrix> plain_matrix(const MatrixView& view, DType type) {
  if (is_empty(view)) return Matrix{type};
  if (view.batch.count > 1) return std::nullopt;
  const bool by_rows = view.cols.extent == 1 || view.cols.stride == 1;
  const bool by_cols = view.rows.extent == 1 || view.rows.stride == 1;
  if (!by_rows && !by_cols) return std::nullopt;
  // A vector lies both ways: the one without a step wins.
  const bool is_row = by_rows && (!by_cols || view.rows.extent == 1 || view.cols.extent > 1 ||
                                  view.rows.stride != 1);
  const Mode& outer = is_row ? view.rows : view.cols;
  const Mode& inner = is_row ? view.cols : view.rows;
  Matrix matrix{type, is_row ? Order::row : Order::col};
  matrix.ld_elems = inner.extent;
  if (outer.extent > 1) {
    if (outer.stride < matrix.ld_elems) return std::nullopt;
    matrix.ld_elems = outer.stride;
  }
  if (view.batch.count == 1) {
    const Index stride = view.batch.at[0].stride;
    matrix.broadcast = stride == 0;
    matrix.batch_stride_elems = stride;
  }
  return matrix;
}

IntTuple tuple_of(const std::vector<Mode>& modes, Index Mode::*number) {
  std::vector<IntTuple> leaves;
  for (const Mode& mode : modes) leaves.emplace_back(mode.*number);
  return leaves.size() == 1 ? leaves.front() : IntTuple::tuple(leaves);
}

Layout coordinates_of(const MatrixView& view, Coordinates coordinates) {
  std::vector<std::vector<Mode>> modes{{view.rows}, {view.cols}};
  if (coordinates == Coordinates::columns_first) std::swap(modes[0], modes[1]);
  if (view.batch.count > 0)
    modes.emplace_back(view.batch.at.begin(), view.batch.at.begin() + view.batch.count);
  std::vector<IntTuple> shape, stride;
  for (const std::vector<Mode>& mode : modes) {
    shape.push_back(tuple_of(mode, &Mode::extent));
    stride.push_back(tuple_of(mode, &Mode::stride));
  }
  return Layout(IntTuple::tuple(shape), IntTuple::tuple(stride));
}

}  // namespace

Index BatchModes::extent() const {
  Index all = 1;
  for (int i = 0; i < count; ++i) all *= at[static_cast<std::size_t>(i)].extent;
  return all;
}

MatrixView view_of(const Array& array, const Axes& axes) {
  return {batch_of(array, axes.batch), mode_of(array, axes.rows), mode_of(array, axes.cols)};
}

void refuse_negative_strides(const Array& array, const char* name) {
  if (std::ranges::none_of(array.strides(), [](Index stride) { return stride < 0; })) return;
  Extents forward;
  for (const Index stride : array.strides()) forward.push_back(stride < 0 ? -stride : stride);
  refuse(ErrorCode::unsupported, name, "strides " + numbers_text(Extents(array.strides())),
         "its strides must not be negative: memory is counted upwards", numbers_text(forward));
}

Matrix operand(const MatrixView& view, const Array& array, const char* name,
               Coordinates coordinates) {
  refuse_negative_strides(array, name);
  std::optional<Matrix> plain = plain_matrix(view, array.type);
  Matrix matrix = plain ? *plain : Matrix{array.type};
  if (!plain) matrix.view = View{.coordinates = coordinates_of(view, coordinates)};
  matrix.alignment_bytes = promised_alignment(array);
  return matrix;
}

Matrix run_time_operand(const MatrixView& view, const Array& array, const char* name,
                        Coordinates coordinates) {
  refuse_negative_strides(array, name);
  Matrix matrix{array.type};
  matrix.view =
      View{.coordinates = coordinates_of(view, coordinates), .numbers = ViewNumbers::run_time};
  matrix.alignment_bytes = width_bytes(array.type);
  return matrix;
}

void lie_by_rows(Matrix& matrix, const MatrixView& view) {
  if (matrix.view || view.cols.extent != 1 || is_empty(view)) return;
  matrix.order = Order::row;
  matrix.ld_elems = std::max<Index>(view.rows.stride, 1);
}

Matrix plain_operand(const MatrixView& view, const Array& array, const char* name) {
  refuse_negative_strides(array, name);
  std::optional<Matrix> matrix = plain_matrix(view, array.type);
  if (!matrix)
    refuse(ErrorCode::unsupported, name, "strides " + numbers_text(Extents(array.strides())),
           "of groups, and of what an epilogue names, one index must be contiguous (stride 1), the "
           "other step forward by at least the length of that, and a batch lie as one",
           "(" + std::to_string(view.cols.extent) + ",1)");
  matrix->alignment_bytes = promised_alignment(array);
  return *matrix;
}

int alignment_of(std::uint64_t address, int most) {
  if (address == 0) return most;
  return static_cast<int>(std::min<std::uint64_t>(std::uint64_t{1} << std::countr_zero(address),
                                                  static_cast<std::uint64_t>(most)));
}

int promised_alignment(const Array& array) {
  return std::max(alignment_of(array.address), width_bytes(array.type));
}

void refuse_shape(const char* name, const Extents& given, const std::string& rule,
                  const Extents& nearest) {
  refuse(ErrorCode::not_compatible, name, numbers_text(given), rule, numbers_text(nearest));
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

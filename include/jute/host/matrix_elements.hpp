#pragma once
// Where a matrix of a completed problem has its elements in memory.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>

#include <optional>

namespace JUTE_API jute {

/// The elements of C, of D, or of what lies like them: a View's coordinates are the matrix's.
class MatrixElements {
 public:
  explicit MatrixElements(const Matrix& matrix)
      : batch_(matrix.broadcast ? 0 : matrix.batch_stride_elems),
        row_(matrix.order == Order::row ? matrix.ld_elems : 1),
        col_(matrix.order == Order::row ? 1 : matrix.ld_elems) {
    if (matrix.view) view_ = modes_of(*matrix.view);
  }
  [[nodiscard]] Index operator()(Index matrix, Index row, Index col) const {
    if (view_) return view_->element(row, col, matrix).value_or(0);
    return matrix * batch_ + row * row_ + col * col_;
  }

 private:
  Index batch_, row_, col_;
  std::optional<ViewModes> view_;
};

}  // namespace jute

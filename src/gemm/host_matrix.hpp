#pragma once
// Host memory read as one operand of a problem.
#include <jute/plan/ask/problem_tensors.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace jute::gemm {

/// Elements from the first to the last one that the operand names; 0 when it is empty.
///   throws  overflow
[[nodiscard]] Index span_elems(const Matrix& operand, const MatrixExtents& extents);

/// How the coordinates of an operand's View are those of its matrix.
enum class Viewing : std::uint8_t {
  as_matrix,  ///< (row, col)
  turned,     ///< (col, row): B's are (N,K)
};

/// A matrix of a batch in memory, by (batch, row, col).
class HostMatrix {
 public:
  HostMatrix() = default;
  /// throws  out_of_range: the memory ends before the operand does; `what` names it
  HostMatrix(std::string_view what, const Matrix& operand, const MatrixExtents& extents,
             std::span<const std::byte> memory, Viewing viewing = Viewing::as_matrix);

  /// Truth values, eight to a byte along what is contiguous; `operand` and `extents` count bytes.
  [[nodiscard]] static HostMatrix of_bits(HostMatrix bytes, Order order);

  /// 0 where a View says that zero stands for it.
  [[nodiscard]] double at(Index batch, Index row, Index col) const;
  [[nodiscard]] DType type() const { return type_; }
  /// Does a View say that zero stands for it?
  [[nodiscard]] bool is_outside(Index batch, Index row, Index col) const;

 private:
  DType type_ = DType::f32;
  int element_bits_ = 32;
  const std::byte* data_ = nullptr;
  std::optional<Order> bits_{};
  Index batch_stride_ = 0, row_stride_ = 0, col_stride_ = 0;
  std::optional<ViewModes> view_{};
  bool is_turned_ = false;  ///< the View's rows are the matrix's columns
};

}  // namespace jute::gemm

#pragma once
// Elements of operands that kernels convert before they multiply them.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include "gemm/host_matrix.hpp"

namespace jute::gemm {

/// The extents of the numbers of an operand's blocks.
[[nodiscard]] MatrixExtents extents_of_blocks(const Problem& problem, const ValueBlock& block,
                                              TensorRole operand);

/// A factor: the exact value, and how far what a kernel takes may lie from it.
struct Multiplied {
  double value = 0, error = 0;
};

/// Where the numbers of its blocks lie.
struct BlockBytes {
  std::span<const std::byte> scale, zero;
};

/// How elements of A or of B of a completed problem count.
class Converted {
 public:
  /// throws  out_of_range: there are fewer numbers than blocks
  Converted(const Problem& problem, TensorRole operand, const BlockBytes& bytes);
  /// (element - zero) * scale, which kernels round to f32 after each operation, then to the type
  /// that is multiplied. No error where that is exact; infinite where it leaves a type's range.
  [[nodiscard]] Multiplied factor(double element, Index batch, Index mn, Index k) const;

 private:
  [[nodiscard]] double number(const HostMatrix& numbers, const ValueBlock& block, Index batch,
                              Index mn, Index k) const;

  OperandScale scaling_;
  DType staged_;
  bool is_a_;
  HostMatrix scale_, zero_;
};

}  // namespace jute::gemm

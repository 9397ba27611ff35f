#pragma once
// Elements of operands that kernels convert before they multiply them.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include "gemm/host_matrix.hpp"

namespace jute::gemm {

/// A factor: the exact value, and how far what a kernel takes may lie from it.
struct Multiplied {
  double value = 0, error = 0;
};

/// How elements of A or of B of a completed problem count.
class Converted {
 public:
  /// `numbers` has those of its blocks.
  Converted(const Problem& problem, TensorRole operand, const ByTensor<HostMatrix>& numbers);
  /// (element - zero) * scale, which kernels round to f32 after each operation, then to the type
  /// that is multiplied. No error where that is exact; infinite where it leaves a type's range.
  [[nodiscard]] Multiplied factor(double element, Index batch, Index mn, Index k) const;

 private:
  [[nodiscard]] double number(TensorRole role, const ValueBlock& block, Index batch, Index mn,
                              Index k) const;

  OperandScale scaling_;
  DType staged_;
  bool is_a_;
  ByTensor<HostMatrix> numbers_;
};

}  // namespace jute::gemm

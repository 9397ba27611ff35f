#pragma once
// Rows of D that kernels add to what is there, in any order: what the sums are, and how far they
// may lie from that.
#include "gemm/operands.hpp"

namespace jute::gemm {

/// One element of D, and what is added to it.
class AddedElement {
 public:
  /// `before` is what D held.
  AddedElement(DType type, double before) : type_(type), value_(before) {
    magnitude_ = before < 0 ? -before : before;
  }
  void add(const Judgement& judged);
  /// With the rounding of every sum; an infinite bound where one is not finite.
  [[nodiscard]] Judgement sum() const;

 private:
  DType type_;
  long double value_;
  double magnitude_ = 0, error_ = 0;
  Index count_ = 0;
};

/// Are rows added to D?
[[nodiscard]] inline bool adds_rows(const Problem& problem) {
  return problem.d.rows && problem.d.rows->store == RowStore::add;
}

/// D before the run; zeros where nothing is given.
///   throws  out_of_range: it is shorter than D
[[nodiscard]] HostMatrix rows_before(const Problem& problem, std::span<const std::byte> d,
                                     std::vector<std::byte>& zeros);

/// reference_gemm of completed inputs whose rows are added.
[[nodiscard]] Reference added_rows(const ReferenceInputs& inputs, std::span<const std::byte> d);
/// One element of it.
[[nodiscard]] Judgement added_element(const ReferenceInputs& inputs, const HostMatrix& before,
                                      const ResultElement& element,
                                      const std::function<Sum(const ResultElement&)>& sum_of);

}  // namespace jute::gemm

// Elements by their bits, but for what a batch or a View names more than once.
#include "plan/cost/tiles/least_bytes.hpp"

#include <algorithm>

namespace jute::plan {
namespace {

double product_of(const Extent& x, const Extent& y) {
  return static_cast<double>(x.value) * static_cast<double>(y.value);
}

}  // namespace

double least_bytes(const MovedMatrix& matrix) {
  const bool is_shared = matrix.batch_stride.baked && matrix.batch_stride.value == 0;
  double elements = matrix.elements * (is_shared ? 1 : matrix.batch);
  if (matrix.view) elements = std::min(elements, static_cast<double>(span_elems(*matrix.view)));
  return elements * matrix.bits / 8;
}

double least_bytes(const GemmStep& step, const OperandPlan& operand, const Extent& rows) {
  const std::optional<View>& view = operand.view ? operand.view : tma_of(operand).boxed;
  const bool is_a = &operand == &step.a;
  int terms = 1;
  for (const TermProduct& product : step.products)
    terms = std::max(terms, (is_a ? product.a : product.b) + 1);
  return terms *
         least_bytes({.bits = width_bits(operand.stored ? operand.stored->type : operand.type),
                      .elements = product_of(rows, step.k),
                      .batch = static_cast<double>(step.batch.value),
                      .batch_stride = operand.batch_stride,
                      .view = view});
}

double least_bytes_of_d(const GemmStep& step) {
  const std::vector<EpilogueOperandPlan>& outputs = step.epilogue.outputs;
  const auto is_one = [](const EpilogueOperandPlan& output) { return is_d(output); };
  if (!outputs.empty() && std::ranges::none_of(outputs, is_one)) return 0;
  return product_of(step.m, step.n) * static_cast<double>(step.batch.value) *
         width_bits(step.epilogue.d_type) / 8;
}

}  // namespace jute::plan

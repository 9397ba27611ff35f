// Converts orders into majors, once, and decides which numbers are literals.
#include "plan/kernel_problem.hpp"

#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "plan/split.hpp"
#include "plan/sums.hpp"

namespace jute::plan {
namespace {

/// Which numbers of the problem become literals.
struct BakedNumbers {
  bool m, n, k, batch, lda, ldb, ldc, batch_strides;
};
BakedNumbers baked_numbers(Specialize specialize) {
  switch (specialize) {
    case Specialize::none:
      return {};
    case Specialize::all:
      return {true, true, true, true, true, true, true, true};
    case Specialize::usual:
      break;
  }
  return {.m = false,
          .n = true,
          .k = true,
          .batch = false,
          .lda = false,
          .ldb = true,
          .ldc = false,
          .batch_strides = false};
}

KernelMatrix kernel_matrix(TensorRole tensor, const Matrix& matrix, Major major, bool ld_baked,
                           bool stride_baked) {
  return {Argument{tensor},
          matrix.type,
          major,
          {ld_of(tensor), matrix.ld_elems, ld_baked},
          {batch_stride_of(tensor), matrix.batch_stride_elems, stride_baked || matrix.broadcast},
          access_bytes(matrix)};
}

/// Inputs and outputs of the problem's epilogue, rows and columns as they are there.
void add_operands(KernelProblem& result, const Problem& problem) {
  const Epilogue& epilogue = *problem.epilogue;
  const auto major = [](const Matrix& matrix) {
    return matrix.order == Order::row ? Major::k : Major::mn;
  };
  const auto operand = [&](const std::string& name, TensorRole role, const EpilogueOperand& given) {
    return KernelOperand{.name = name,
                         .by_value = given.by_value,
                         .matrix = kernel_matrix(role, given, major(given), false, false)};
  };
  result.expression = epilogue.expression;
  result.accuracy = epilogue_accuracy(problem);
  for (std::size_t i = 0; i < epilogue.inputs.size(); ++i) {
    const EpilogueInput& input = epilogue.expression.inputs[i];
    result.inputs.push_back(
        operand(input.name, input_role(static_cast<int>(i)), epilogue.inputs[i]));
    result.inputs.back().extent = input.extent;
    result.inputs.back().is_bits = is_of_bits(epilogue.expression, input);
  }
  for (KernelOperand& sum : sum_inputs(problem)) result.inputs.push_back(std::move(sum));
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i) {
    const EpilogueOutput& output = epilogue.expression.outputs[i];
    result.outputs.push_back(
        operand(output.name, output_role(static_cast<int>(i)), epilogue.outputs[i]));
    result.outputs.back().gather = output.gather;
    result.outputs.back().is_bits = is_of_bits(epilogue.expression, output);
    result.outputs.back().extent = output_extent(epilogue.expression, output);
  }
}

EpilogueExtent exchanged(EpilogueExtent extent) {
  if (extent == EpilogueExtent::rows) return EpilogueExtent::columns;
  return extent == EpilogueExtent::columns ? EpilogueExtent::rows : extent;
}
EpilogueGather exchanged(EpilogueGather gather) {
  if (gather == EpilogueGather::row_sum) return EpilogueGather::col_sum;
  return gather == EpilogueGather::col_sum ? EpilogueGather::row_sum : gather;
}

void read_copy(KernelMatrix& matrix, const Move& copy) {
  matrix.base = InWorkspace{copy.region};
  matrix.ld.count = copy.ld;
  matrix.terms = copy.terms;
  matrix.term_stride = copy.batch_stride;
  const bool is_shared = copy.matrices == Count(1);
  if (!is_shared) matrix.batch_stride.count = copy.batch_stride;
}

}  // namespace

int access_bytes(const Matrix& matrix) {
  const int width = width_bytes(matrix.type);
  // gcd with 16 keeps the power of two that both share; a stride of 0 restricts nothing.
  const Index strides = std::gcd(matrix.ld_elems * width, matrix.batch_stride_elems * width);
  return static_cast<int>(std::gcd(std::gcd(strides, Index{16}), Index{matrix.alignment_bytes}));
}

KernelProblem kernel_problem(const Problem& problem, Specialize specialize,
                             std::span<const Move> copies) {
  const BakedNumbers baked = baked_numbers(specialize);
  const auto along_rows = [](const Matrix& matrix) { return matrix.order == Order::row; };
  KernelProblem result;
  using enum RunValue::Quantity;
  result.m = {RunValue{m}, problem.m, baked.m};
  result.n = {RunValue{n}, problem.n, baked.n};
  result.k = {RunValue{k}, problem.k, baked.k};
  result.batch = {RunValue{batch}, problem.batch, baked.batch};
  result.a = kernel_matrix(TensorRole::a, problem.a, along_rows(problem.a) ? Major::k : Major::mn,
                           baked.lda, baked.batch_strides);
  result.b = kernel_matrix(TensorRole::b, problem.b, along_rows(problem.b) ? Major::mn : Major::k,
                           baked.ldb, baked.batch_strides);
  result.c = kernel_matrix(TensorRole::c, problem.c, along_rows(problem.c) ? Major::k : Major::mn,
                           baked.ldc, baked.batch_strides);
  result.d = kernel_matrix(TensorRole::d, problem.d, along_rows(problem.d) ? Major::k : Major::mn,
                           baked.ldc, baked.batch_strides);
  for (const Move& copy : copies)
    read_copy(copy.tensor == TensorRole::a ? result.a : result.b, copy);
  result.products = products_of(problem.precision);
  result.accumulate = *problem.accumulate;
  result.alpha = problem.alpha;
  result.beta = problem.beta;
  if (problem.epilogue)
    add_operands(result, problem);
  else
    result.expression = scaled_sum(problem.alpha, problem.beta);
  return along_rows(problem.d) ? result : transposed(std::move(result));
}

Order order_of(const KernelMatrix& matrix) {
  return matrix.major == Major::k ? Order::row : Order::col;
}

KernelProblem transposed(KernelProblem problem) {
  problem.transposed = !problem.transposed;
  std::swap(problem.m, problem.n);
  std::swap(problem.a, problem.b);
  for (TermProduct& product : problem.products) std::swap(product.a, product.b);
  const auto exchange = [](KernelMatrix& matrix) {
    matrix.major = matrix.major == Major::k ? Major::mn : Major::k;
  };
  exchange(problem.c);
  exchange(problem.d);
  for (std::vector<KernelOperand>* operands : {&problem.inputs, &problem.outputs})
    for (KernelOperand& operand : *operands) {
      operand.extent = exchanged(operand.extent);
      operand.gather = exchanged(operand.gather);
      exchange(operand.matrix);
    }
  return problem;
}

}  // namespace jute::plan

// Decides how sums of operands are formed, and where they lie.
#include "plan/sums.hpp"

#include <algorithm>
#include <array>

#include "base/format.hpp"
#include "plan/move_step.hpp"

namespace jute::plan {
namespace {

constexpr int kSumBytes = 256;
constexpr int kAlignment = 16;
/// Of a matrix whose lines lie across its rows: threads beside each other, each with an access.
constexpr int kAcross = 4;

struct SumRow {
  EpilogueOp op;
  std::string_view name, region;
  TensorRole tensor;
  EpilogueExtent extent;
};
constexpr std::array kSums{
    SumRow{EpilogueOp::a_sum, "a_sum", "sum_a", TensorRole::a, EpilogueExtent::rows},
    SumRow{EpilogueOp::b_sum, "b_sum", "sum_b", TensorRole::b, EpilogueExtent::columns}};

std::vector<SumRow> sums_of(const Problem& problem) {
  std::vector<SumRow> rows;
  for (const SumRow& row : kSums)
    if (problem.epilogue && names(problem.epilogue->expression, row.op)) rows.push_back(row);
  return rows;
}

/// What sums are formed in: the accumulator's type, f16 sums as f32.
DType sum_type(const Problem& problem) {
  const DType accumulate = *problem.accumulate;
  return accumulate == DType::f64 || accumulate == DType::s32 ? accumulate : DType::f32;
}

Count line_count(const SumRow& row) {
  using enum RunValue::Quantity;
  return RunValue{row.tensor == TensorRole::a ? m : n};
}
/// Every matrix's sums begin at a multiple of 16 bytes.
Count batch_stride(const SumRow& row) { return round_up(line_count(row), kAlignment); }

OperandSum sum_of(const Problem& problem, const SumRow& row) {
  const bool is_a = row.tensor == TensorRole::a;
  const Matrix& matrix = is_a ? problem.a : problem.b;
  OperandSum sum;
  sum.tensor = row.tensor;
  sum.type = matrix.type;
  sum.sum = sum_type(problem);
  sum.region = row.region;
  sum.major = (matrix.order == Order::row) == is_a ? Major::k : Major::mn;
  sum.lines = line_count(row);
  sum.length = RunValue{RunValue::Quantity::k};
  sum.matrices = RunValue{RunValue::Quantity::batch};
  sum.batch_stride = batch_stride(row);
  sum.vector_elems = access_bytes(matrix) / width_bytes(matrix.type);
  // A warp a line that is contiguous; else a block for what its threads read beside each other.
  sum.blocks = sum.major == Major::k
                   ? ceil_div(sum.lines * sum.matrices, kMoveThreads / 32)
                   : ceil_div(sum.lines, kAcross * sum.vector_elems) * sum.matrices;
  return sum;
}

void add_parameters(std::vector<KernelParameter>& list, const OperandSum& sum) {
  using enum ParameterKind;
  const std::string x(name(sum.tensor));
  list.push_back({x + "_source", pointer, Base(Argument{sum.tensor})});
  list.push_back({x + "_sums", pointer, Base(InWorkspace{sum.region})});
  list.push_back({x + "_lines", i32, sum.lines});
  list.push_back({x + "_length", i32, sum.length});
  list.push_back({x + "_matrices", u32, sum.matrices});
  list.push_back({x + "_ld", i64, ld_of(sum.tensor)});
  list.push_back({x + "_batch_stride", i64, batch_stride_of(sum.tensor)});
  list.push_back({x + "_batch_stride_sums", i64, sum.batch_stride});
  list.push_back({x + "_blocks", u32, sum.blocks});
}

}  // namespace

std::size_t sum_count(const EpilogueExpression& expression) {
  return static_cast<std::size_t>(
      std::ranges::count_if(kSums, [&](const SumRow& row) { return names(expression, row.op); }));
}

Count sum_bytes(const OperandSum& sum) {
  return round_up(sum.batch_stride * sum.matrices * width_bytes(sum.sum), kSumBytes);
}

std::optional<MoveStep> sum_operands(const Problem& problem, const DeviceInfo& device) {
  MoveStep step;
  for (const SumRow& row : sums_of(problem)) step.sums.push_back(sum_of(problem, row));
  if (step.sums.empty()) return std::nullopt;
  for (const OperandSum& sum : step.sums) {
    add_parameters(step.parameters, sum);
    add_blocks(step, sum.blocks);
  }
  complete_move_step(step, "sum", step.sums.front().type, device);
  return step;
}

std::vector<KernelOperand> sum_inputs(const Problem& problem) {
  std::vector<KernelOperand> inputs;
  for (const SumRow& row : sums_of(problem)) {
    const bool is_a = row.tensor == TensorRole::a;
    const Index lines = is_a ? problem.m : problem.n,
                stride = ceil_div(lines, kAlignment) * kAlignment;
    KernelOperand input;
    input.name = row.name;
    input.extent = row.extent;
    input.matrix = {.base = InWorkspace{std::string(row.region)},
                    .type = sum_type(problem),
                    .major = is_a ? Major::mn : Major::k,
                    .ld = {Count(1), 1, true},
                    .batch_stride = {batch_stride(row), stride, false},
                    .access_bytes = kAlignment};
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace jute::plan

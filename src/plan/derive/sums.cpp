// Decides how sums of operands are formed, and where they lie.
#include "plan/derive/sums.hpp"

#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <utility>

#include "plan/ask/operand_sums.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/derive/gemm_step.hpp"
#include "plan/derive/move_step.hpp"
#include "plan/derive/parameters.hpp"
#include "plan/values/sums.hpp"

namespace jute::plan {
namespace {

/// Sums of a matrix whose lines lie across its rows: threads beside each other, each with an
/// access.
constexpr int kLinesAcross = 4;

/// Outputs that are made of the sums of one operand.
std::vector<SumOutput> outputs_of(const Problem& problem, const SumRow& row) {
  std::vector<SumOutput> list;
  const Epilogue& epilogue = *problem.epilogue;
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i) {
    const EpilogueOutput& output = epilogue.expression.outputs[i];
    if (!is_of_sums(epilogue.expression, output) ||
        output_extent(epilogue.expression, output) != row.extent)
      continue;
    EpilogueExpression alone = epilogue.expression;
    std::erase_if(alone.outputs, [&](const auto& other) { return other.name != output.name; });
    list.push_back(
        {part_of_sums(alone), output_role(static_cast<int>(i)), epilogue.outputs[i].type});
  }
  return list;
}

OperandSum sum_of(const Problem& problem, const SumRow& row) {
  const bool is_a = row.tensor == TensorRole::a;
  const Matrix& matrix = is_a ? problem.a : problem.b;
  OperandSum sum;
  sum.tensor = row.tensor;
  sum.type = matrix.type;
  sum.sum = sum_type(problem);
  if (names_op(product_of(problem).epilogue, row.op)) sum.region = row.region;
  sum.outputs = outputs_of(problem, row);
  sum.major = (matrix.order == Order::row) == is_a ? Major::k : Major::mn;
  sum.lines = line_count(row);
  sum.length = RunValue{RunValue::Quantity::k};
  sum.matrices = RunValue{RunValue::Quantity::batch};
  sum.batch_stride = sum_batch_stride(row);
  sum.vector_elems = access_bytes(matrix) / width_bytes(matrix.type);
  // A warp a line that is contiguous; else a block for what its threads read beside each other.
  sum.blocks = sum.major == Major::k
                   ? ceil_div(sum.lines * sum.matrices, kMoveThreads / 32)
                   : ceil_div(sum.lines, kLinesAcross * sum.vector_elems) * sum.matrices;
  return sum;
}

void add_sum_parameters(std::vector<KernelParameter>& list, const OperandSum& sum) {
  using enum ParameterKind;
  const std::string x(name(sum.tensor));
  list.push_back({x + "_source", pointer, Base(Argument{sum.tensor})});
  list.push_back({x + "_lines", i32, sum.lines});
  list.push_back({x + "_length", i32, sum.length});
  list.push_back({x + "_matrices", u32, sum.matrices});
  list.push_back({x + "_ld", i64, ld_of(sum.tensor)});
  list.push_back({x + "_batch_stride", i64, batch_stride_of(sum.tensor)});
  list.push_back({x + "_blocks", u32, sum.blocks});
  if (!sum.region.empty()) {
    list.push_back({x + "_sums", pointer, Base(InWorkspace{sum.region})});
    list.push_back({x + "_batch_stride_sums", i64, sum.batch_stride});
  }
  for (const SumOutput& output : sum.outputs) {
    list.push_back({std::string(name(output.tensor)), pointer, Base(Argument{output.tensor})});
    list.push_back(
        {std::string(name(batch_stride_of(output.tensor))), i64, batch_stride_of(output.tensor)});
  }
}

}  // namespace

void add_scalars(MoveStep& step, const Problem& problem, const EpilogueExpression& part) {
  for (const EpilogueInput& read : part.inputs) {
    const int place = find_input(problem.epilogue->expression, read.name);
    const KernelOperand input = kernel_input(problem, place);
    const auto at = static_cast<int>(step.scalars.size());
    const std::string word(name(input_role(at)));
    step.scalars.push_back(operand_plan(input));
    if (input.by_value) {
      step.parameters.push_back({word, scale_kind(input.matrix.type), InputValue{place}});
      continue;
    }
    step.parameters.push_back({word, ParameterKind::pointer, input.matrix.base});
    step.parameters.push_back({std::string(name(batch_stride_of(input_role(at)))),
                               ParameterKind::i64, input.matrix.batch_stride.count});
  }
  for (const auto& [op, factor] : {std::pair{EpilogueOp::alpha, ScaleFactor::alpha},
                                   std::pair{EpilogueOp::beta, ScaleFactor::beta}})
    if (jute::names(part, op))
      step.parameters.push_back(
          {op == EpilogueOp::alpha ? "alpha" : "beta", scale_kind(step.compute), factor});
}

std::optional<MoveStep> sum_operands(const Problem& problem, const DeviceInfo& device) {
  MoveStep step;
  for (const SumRow& row : sums_named(problem)) step.sums.push_back(sum_of(problem, row));
  if (step.sums.empty()) return std::nullopt;
  for (const OperandSum& sum : step.sums) {
    add_sum_parameters(step.parameters, sum);
    add_blocks(step, sum.blocks);
  }
  step.compute = compute_type_of(problem);
  step.accuracy = accuracy_on(device.arch, epilogue_accuracy(problem));
  add_scalars(step, problem, part_of_sums(problem.epilogue->expression));
  complete_move_step(step, "sum", step.sums.front().type, device);
  return step;
}

void follow(MoveStep& sums, const GemmStep& gemm) {
  const auto is_read = [](const OperandSum& sum) { return !sum.region.empty(); };
  sums.follows = !sums.sums.empty() && std::ranges::none_of(sums.sums, is_read) &&
                 gemm.schedule.releases != Release::at_start;
  if (sums.follows) sums.releases = Release::never;
}

}  // namespace jute::plan

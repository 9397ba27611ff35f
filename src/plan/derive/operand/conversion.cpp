// Where a copy that converts finds an operand's elements and the numbers of their blocks.
#include "plan/derive/operand/conversion.hpp"

#include <jute/plan/values/stored_stages.hpp>

#include <string>
#include <utility>

#include "plan/chip/line.hpp"

namespace jute::plan {
namespace {

const Matrix& operand_of(const Problem& problem, TensorRole tensor) {
  return tensor == TensorRole::a ? problem.a : problem.b;
}

/// Pointer and strides of the numbers of blocks.
void add_numbers(std::vector<KernelParameter>& list, const std::string& name,
                 const std::optional<MoveNumbers>& numbers) {
  using enum ParameterKind;
  if (!numbers) return;
  list.push_back({name, pointer, Base(Argument{numbers->tensor})});
  list.push_back({name + "_inner", i64, numbers->stride_inner});
  list.push_back({name + "_outer", i64, numbers->stride_outer});
  list.push_back({name + "_batch_stride", i64, batch_stride_of(numbers->tensor)});
}

/// Has each vector of a thread one number of the block?
bool is_one_a_vector(const std::optional<BlockValues>& numbers, int elems) {
  return !numbers || numbers->block.k % elems == 0;
}

/// Elements that a thread loads at once: of 16 bytes, or as many fewer as begin at whole ones in
/// each row and share their block's numbers.
int elements_of_load(const Problem& problem, TensorRole tensor) {
  constexpr int kBits = 8;
  const Matrix& operand = operand_of(problem, tensor);
  const OperandScale& scale = *scale_of(problem, tensor);
  const int width = width_bits(operand.type), least = elements_of_chunk(*problem.staged);
  int elems = kChunk * kBits / width;
  const auto fits = [&] {
    return problem.k % elems == 0 && operand.ld_elems % elems == 0 &&
           operand.batch_stride_elems % elems == 0 &&
           operand.alignment_bytes * kBits >= elems * width &&
           is_one_a_vector(scale.scale, elems) && is_one_a_vector(scale.zero, elems);
  };
  while (elems > least && !fits()) elems /= 2;
  return elems;
}

bool may_be_in_registers(const Problem& problem, TensorRole tensor) {
  constexpr int kBits = 8;
  const Matrix& operand = operand_of(problem, tensor);
  const OperandScale& scale = *scale_of(problem, tensor);
  const int elems = elements_of_chunk(*problem.staged);
  const bool is_along_k = (operand.order == Order::row) == (tensor == TensorRole::a);
  return width_bits(operand.type) <= kBits && !operand.view && is_along_k &&
         problem.k % elems == 0 && operand.ld_elems % elems == 0 &&
         operand.batch_stride_elems % elems == 0 &&
         operand.alignment_bytes * kBits >= elems * width_bits(operand.type) &&
         is_one_a_vector(scale.scale, elems) && is_one_a_vector(scale.zero, elems);
}

}  // namespace

const OperandScale* scale_of(const Problem& problem, TensorRole tensor) {
  if (tensor == TensorRole::a) return &problem.scale_a;
  return tensor == TensorRole::b ? &problem.scale_b : nullptr;
}

bool is_converted(const Problem& problem, TensorRole tensor) {
  const OperandScale* const scale = scale_of(problem, tensor);
  return scale != nullptr &&
         jute::is_converted(operand_of(problem, tensor), *scale, problem.staged);
}

MoveConversion conversion_of(const Problem& problem, TensorRole tensor, CopyAlong along) {
  const bool is_a = tensor == TensorRole::a;
  const OperandScale& scale = *scale_of(problem, tensor);
  const BlockStrides own = strides_of(tensor, tensor, operand_of(problem, tensor).order);
  const bool along_k = along == CopyAlong::k;
  MoveConversion conversion{.stride_inner = along_k ? own.k : own.mn,
                            .stride_outer = along_k ? own.mn : own.k,
                            .offset = scale.offset};
  using enum TensorRole;
  if (scale.scale)
    conversion.scale = numbers_of(*scale.scale, tensor, is_a ? scale_a : scale_b, along);
  if (scale.zero) conversion.zero = numbers_of(*scale.zero, tensor, is_a ? zero_a : zero_b, along);
  return conversion;
}

bool is_generic(const Problem& problem, TensorRole tensor) {
  const Matrix& operand = operand_of(problem, tensor);
  const OperandScale& scale = *scale_of(problem, tensor);
  const bool is_one = operand.view ? operand.view->coordinates.rank() < 3 : operand.broadcast;
  return is_one && (!scale.scale || scale.scale->broadcast) &&
         (!scale.zero || scale.zero->broadcast);
}

void add_conversion_parameters(std::vector<KernelParameter>& list, const Move& move) {
  using enum ParameterKind;
  if (move.own_alignment > 0) return;  // the device's list has them
  const std::string x(name(move.tensor));
  list.push_back({x + "_batch_stride_source", i64, batch_stride_of(move.tensor)});
  list.push_back({x + "_inner_source", i64, move.conversion->stride_inner});
  list.push_back({x + "_outer_source", i64, move.conversion->stride_outer});
  add_numbers(list, x + "_scale", move.conversion->scale);
  add_numbers(list, x + "_zero", move.conversion->zero);
}

bool may_be_in_registers(const Problem& problem) {
  const std::optional<DType> staged = problem.staged;
  if (staged != DType::bf16 && staged != DType::f16) return false;
  if (problem.a.view || problem.b.view || problem.c.view || problem.d.view) return false;
  for (const TensorRole tensor : {TensorRole::a, TensorRole::b})
    if (is_converted(problem, tensor) && !may_be_in_registers(problem, tensor)) return false;
  return true;
}

void read_in_registers(KernelProblem& kernel, const Problem& problem) {
  for (KernelMatrix* matrix : {&kernel.a, &kernel.b}) {
    const auto* argument = std::get_if<Argument>(&matrix->base);
    if (argument == nullptr || !is_converted(problem, argument->tensor)) continue;
    matrix->stored =
        StoredOperand{matrix->type, conversion_of(problem, argument->tensor, CopyAlong::k)};
    matrix->type = *problem.staged;
    matrix->access_bytes =
        elements_of_load(problem, argument->tensor) * width_bytes(*problem.staged);
  }
}

void swap_for_stored(KernelProblem& kernel, const Config& config) {
  constexpr Index kMostRows = 16;
  const bool may_be =
      config.swapped.value_or(true) && !kernel.gate && !kernel.groups && !kernel.d.view;
  if (may_be && kernel.b.stored && !kernel.a.stored && kernel.m.value <= kMostRows &&
      kernel.m.value <= kernel.n.value)
    kernel = transposed(std::move(kernel));
}

bool are_whole_vectors(const GemmStep& step) {
  constexpr int kBits = 8;
  const auto is_whole = [](const OperandPlan& operand) {
    return !operand.stored || has_stored_boxes(operand) ||
           (transfer_of(operand) != Transfer::tma && operand.major == Major::k &&
            !straight_of(operand).shifted && !straight_of(operand).from_chunk &&
            operand.vector_elems * width_bits(operand.stored->type) >= kBits);
  };
  return is_whole(step.a) && is_whole(step.b);
}

void add_stored_parameters(std::vector<KernelParameter>& list, const char* letter,
                           const OperandPlan& operand) {
  if (operand.scales) add_numbers(list, std::string(letter) + "_scale", operand.scales->numbers);
  if (!operand.stored) return;
  add_numbers(list, std::string(letter) + "_scale", operand.stored->conversion.scale);
  add_numbers(list, std::string(letter) + "_zero", operand.stored->conversion.zero);
}

}  // namespace jute::plan

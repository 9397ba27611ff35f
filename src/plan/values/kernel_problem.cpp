// Converts orders into majors, once, and decides which numbers are literals.
#include "plan/values/kernel_problem.hpp"

#include <jute/epilogue/quantise.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <array>
#include <numeric>
#include <utility>

#include "plan/ask/groups.hpp"
#include "plan/ask/product_of.hpp"
#include "plan/ask/view_modes.hpp"
#include "plan/values/products.hpp"
#include "plan/values/sums.hpp"
#include "plan/values/workspace.hpp"

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
    case Specialize::generic:  // chosen by them; the chosen kernel holds none
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
  // Step by step: g++ 12 destroys a part of a list twice where a later one throws.
  KernelMatrix result;
  result.base = Argument{tensor};
  result.type = matrix.type;
  result.major = major;
  result.ld = {ld_of(tensor), matrix.ld_elems, ld_baked};
  result.batch_stride = {batch_stride_of(tensor), matrix.batch_stride_elems,
                         stride_baked || matrix.broadcast};
  result.access_bytes = access_bytes(matrix);
  result.view = matrix.view;
  result.rows = matrix.rows;
  return result;
}

/// An input or an output of the epilogue, rows and columns as they are there.
KernelOperand kernel_operand(const std::string& name, TensorRole role,
                             const EpilogueOperand& given) {
  const Major major = given.order == Order::row ? Major::k : Major::mn;
  return {.name = name,
          .by_value = given.by_value,
          .matrix = kernel_matrix(role, given, major, false, false)};
}

/// Adds what the product reads and writes beside C and D. Roles are those of the whole problem.
void add_operands(KernelProblem& result, const Problem& product, const Problem& whole) {
  const Epilogue& epilogue = *product.epilogue;
  const EpilogueExpression& all = whole.epilogue->expression;
  result.expression = epilogue.expression;
  result.accuracy = epilogue_accuracy(whole);
  for (const EpilogueInput& input : epilogue.expression.inputs)
    result.inputs.push_back(kernel_input(whole, place_in(all.inputs, input)));
  for (KernelOperand& sum : sum_inputs(product)) result.inputs.push_back(std::move(sum));
  for (std::size_t i = 0; i < epilogue.outputs.size(); ++i) {
    const EpilogueOutput& output = epilogue.expression.outputs[i];
    KernelOperand operand = kernel_operand(output.name, output_role(place_in(all.outputs, output)),
                                           epilogue.outputs[i]);
    operand.gather = output.gather;
    operand.is_bits = is_of_bits(epilogue.expression, output);
    operand.extent = output_extent(epilogue.expression, output);
    if (has_second_step(whole) && output.name == kMostOfBlocks) {
      const MostOfBlocks most = most_of_blocks(whole);
      operand.matrix.base = InWorkspace{most.region};
      operand.matrix.batch_stride = {most.lines, most.lines.evaluate(run_values(whole)), false};
    }
    result.outputs.push_back(std::move(operand));
  }
}

EpilogueExtent exchanged(EpilogueExtent extent) {
  if (extent == EpilogueExtent::rows) return EpilogueExtent::columns;
  return extent == EpilogueExtent::columns ? EpilogueExtent::rows : extent;
}

EpilogueGather exchanged(EpilogueGather gather) {
  using enum EpilogueGather;
  constexpr std::array kAcross{elements, amax, sum, col_sum, row_sum, col_amax, row_amax};
  return kAcross.at(static_cast<size_t>(gather));
}

void take_copy(KernelMatrix& matrix, const Move& copy) {
  matrix.base = InWorkspace{copy.region};
  matrix.ld.count = copy.ld;
  matrix.terms = copy.terms;
  matrix.term_stride = copy.batch_stride;
  const bool is_generic = copy.matrices == Count(1);
  if (!is_generic) matrix.batch_stride.count = copy.batch_stride;
}

/// A list of groups has them in its operands' places.
void take_copies(KernelProblem& kernel, std::span<const Move> copies) {
  if (lists_operands(kernel.groups)) {
    if (!copies.empty()) kernel.list = InWorkspace{std::string(kCopiedList)};
    return;
  }
  for (const Move& copy : copies)
    take_copy(copy.tensor == TensorRole::a   ? kernel.a
              : copy.tensor == TensorRole::b ? kernel.b
              : copy.tensor == TensorRole::c ? kernel.c
                                             : kernel.d,
              copy);
}

/// Adds scales of operands that are multiplied as they are.
void add_scales(KernelProblem& kernel, const Problem& problem) {
  using enum TensorRole;
  if (const auto& scale = problem.scale_a.scale)
    kernel.a.scales = numbers_of(*scale, a, scale_a, CopyAlong::k);
  if (const auto& scale = problem.scale_b.scale)
    kernel.b.scales = numbers_of(*scale, b, scale_b, CopyAlong::k);
}

std::optional<KernelGroups> kernel_groups(const Problem& problem) {
  if (!problem.groups) return std::nullopt;
  const GroupKind kind = problem.groups->kind;
  KernelGroups groups{.along = kind == GroupKind::cols   ? GroupedAlong::n
                               : kind == GroupKind::k    ? GroupedAlong::k
                               : kind == GroupKind::each ? GroupedAlong::all
                                                         : GroupedAlong::m,
                      .is_masked = kind == GroupKind::masked_rows,
                      .index = problem.groups->index,
                      .count = static_cast<int>(problem.batch),
                      .entry = kind == GroupKind::each ? GroupEntry::group : problem.groups->entry};
  if (lists_operands(groups))
    groups.alignment = {promised_bytes(problem.a), promised_bytes(problem.b),
                        promised_bytes(problem.c), promised_bytes(problem.d)};
  return groups;
}

/// B is (K,2N), its halves so far apart, and each as if it were alone.
void add_gate(KernelProblem& result, const Problem& problem) {
  if (!problem.gate) return;
  using enum RunValue::Quantity;
  KernelMatrix& b = result.b;
  const Index elem_bytes = width_bytes(b.type);
  const bool along_k = b.major == Major::k, is_beside = problem.gate == GateColumns::halves;
  GatedHalves gate{.stride = {RunValue{n}, problem.n, result.n.baked}, .is_beside = is_beside};
  if (is_beside && along_k) {
    gate.stride.count = gate.stride.count * ld_of(TensorRole::b);
    gate.stride.value *= b.ld.value;
    gate.stride.baked = result.n.baked && b.ld.baked;
  } else if (!is_beside && along_k) {
    gate.stride = b.ld;
    b.ld.count = 2 * b.ld.count;
    b.ld.value *= 2;
  } else if (!is_beside) {
    gate.stride = {1, 1, true};
    gate.step = 2;
    b.access_bytes = static_cast<int>(elem_bytes);
  }
  b.access_bytes =
      static_cast<int>(std::gcd(gate.stride.value * elem_bytes, Index{b.access_bytes}));
  result.gate = std::move(gate);
}

GroupedAlong exchanged(GroupedAlong along) {
  if (along == GroupedAlong::m) return GroupedAlong::n;
  return along == GroupedAlong::n ? GroupedAlong::m : along;
}

/// Parts of groups begin at any element of what is contiguous along their dimension.
void cut_accesses(KernelProblem& problem) {
  const auto cut = [](KernelMatrix& matrix) { matrix.access_bytes = width_bytes(matrix.type); };
  const auto is_cut = [&](const KernelMatrix& matrix, GroupedAlong mn, GroupedAlong across) {
    return problem.groups->along == (matrix.major == Major::mn ? mn : across);
  };
  if (problem.groups->is_masked) return;  // they begin where their matrices do
  if (lists_operands(problem.groups)) {
    KernelMatrix* const matrices[] = {&problem.a, &problem.b, &problem.c, &problem.d};
    for (size_t i = 0; i < std::size(matrices); ++i) {
      matrices[i]->access_bytes = problem.groups->alignment.at(i);
      matrices[i]->ld.baked = matrices[i]->batch_stride.baked = false;
    }
    return;
  }
  if (is_cut(problem.a, GroupedAlong::m, GroupedAlong::k)) cut(problem.a);
  if (is_cut(problem.b, GroupedAlong::n, GroupedAlong::k)) cut(problem.b);
  std::vector<KernelMatrix*> like_d{&problem.c, &problem.d};
  for (std::vector<KernelOperand>* operands : {&problem.inputs, &problem.outputs})
    for (KernelOperand& operand : *operands)
      if (operand.extent == EpilogueExtent::elements)
        like_d.push_back(&operand.matrix);
      else if ((operand.extent == EpilogueExtent::rows &&
                problem.groups->along == GroupedAlong::m) ||
               (operand.extent == EpilogueExtent::columns &&
                problem.groups->along == GroupedAlong::n))
        cut(operand.matrix);
  for (KernelMatrix* matrix : like_d)
    if (is_cut(*matrix, GroupedAlong::m, GroupedAlong::n)) cut(*matrix);
}

}  // namespace

BlockStrides strides_of(TensorRole tensor, TensorRole numbers, Order order) {
  const bool k_is_inner = (order == Order::row) == (tensor == TensorRole::a);
  const Count ld = ld_of(numbers);
  return k_is_inner ? BlockStrides{ld, 1} : BlockStrides{1, ld};
}

MoveNumbers numbers_of(const BlockValues& values, TensorRole tensor, TensorRole role,
                       CopyAlong along) {
  const BlockStrides strides = strides_of(tensor, role, values.order);
  const bool along_k = along == CopyAlong::k;
  return {.tensor = role,
          .type = values.type,
          .block_inner = along_k ? values.block.k : values.block.mn,
          .block_outer = along_k ? values.block.mn : values.block.k,
          .stride_inner = along_k ? strides.k : strides.mn,
          .stride_outer = along_k ? strides.mn : strides.k};
}

int promised_bytes(const Matrix& matrix) {
  return static_cast<int>(std::gcd(Index{16}, Index{matrix.alignment_bytes}));
}

int access_bytes(const Matrix& matrix) {
  const int width = width_bytes(matrix.type);
  if (matrix.view && matrix.view->numbers == ViewNumbers::run_time) return width;
  if (matrix.view)
    return static_cast<int>(std::gcd(contiguous_elems(modes_of(*matrix.view), 16 / width) * width,
                                     Index{matrix.alignment_bytes}));
  // gcd with 16 keeps the power of two that both share; a stride of 0 restricts nothing.
  const Index strides = std::gcd(matrix.ld_elems * width, matrix.batch_stride_elems * width);
  return static_cast<int>(std::gcd(std::gcd(strides, Index{16}), Index{matrix.alignment_bytes}));
}

KernelOperand kernel_input(const Problem& problem, int place) {
  const Epilogue& epilogue = *problem.epilogue;
  const EpilogueInput& input = epilogue.expression.inputs.at(static_cast<size_t>(place));
  KernelOperand operand =
      kernel_operand(input.name, input_role(place), epilogue.inputs.at(static_cast<size_t>(place)));
  operand.extent = input.extent;
  operand.is_bits = is_of_bits(epilogue.expression, input);
  return operand;
}

int place_of(const KernelOperand& input) {
  return static_cast<int>(std::get<Argument>(input.matrix.base).tensor) -
         static_cast<int>(TensorRole::first_input);
}

KernelProblem kernel_problem(const Problem& whole, const Config& config,
                             std::span<const Move> copies) {
  const Problem problem = product_of(whole);
  const BakedNumbers baked = baked_numbers(config.specialize);
  const auto along_rows = [](const Matrix& matrix) { return matrix.order == Order::row; };
  KernelProblem result;
  using enum RunValue::Quantity;
  result.groups = kernel_groups(problem);
  const auto is_cut = [&](GroupedAlong along) {
    return result.groups && (result.groups->along == along || lists_operands(result.groups));
  };
  const Problem usual = usual_group(problem);
  // Blocks divide their number by tiles along M or N. Where that is a literal 0, in loops that
  // never run, NVRTC recurs until its stack ends.
  result.m = {RunValue{m}, usual.m, baked.m && usual.m > 0 && !is_cut(GroupedAlong::m)};
  result.n = {RunValue{n}, usual.n, baked.n && usual.n > 0 && !is_cut(GroupedAlong::n)};
  result.k = {RunValue{k}, usual.k, baked.k && !is_cut(GroupedAlong::k)};
  result.batch = {RunValue{batch}, problem.batch, baked.batch || result.groups};
  result.a = kernel_matrix(TensorRole::a, problem.a, along_rows(problem.a) ? Major::k : Major::mn,
                           baked.lda, baked.batch_strides);
  result.b = kernel_matrix(TensorRole::b, problem.b, along_rows(problem.b) ? Major::mn : Major::k,
                           baked.ldb, baked.batch_strides);
  result.c = kernel_matrix(TensorRole::c, problem.c, along_rows(problem.c) ? Major::k : Major::mn,
                           baked.ldc, baked.batch_strides);
  result.d = kernel_matrix(TensorRole::d, problem.d, along_rows(problem.d) ? Major::k : Major::mn,
                           baked.ldc, baked.batch_strides);
  take_copies(result, copies);
  if (!problem.staged) add_scales(result, problem);
  result.products = products_of(problem.precision);
  result.accumulate = *problem.accumulate;
  result.alpha = problem.alpha;
  result.beta = problem.beta;
  result.compute = compute_type_of(whole);
  result.is_followed = sums_follow(whole);
  result.launches = config.launches.value_or(Launches::behind_others);
  add_gate(result, problem);
  if (problem.epilogue)
    add_operands(result, problem, whole);
  else
    result.expression = scaled_sum(problem.alpha, problem.beta);
  if (result.groups) cut_accesses(result);
  return along_rows(problem.d) ? result : transposed(std::move(result));
}

Order order_of(const KernelMatrix& matrix) {
  return matrix.major == Major::k ? Order::row : Order::col;
}

KernelProblem transposed(KernelProblem problem) {
  problem.transposed = !problem.transposed;
  if (problem.groups) {
    problem.groups->along = exchanged(problem.groups->along);
    std::swap(problem.groups->alignment[0], problem.groups->alignment[1]);
  }
  if (problem.gate)
    problem.gate->operand = problem.gate->operand == Operand::a ? Operand::b : Operand::a;
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

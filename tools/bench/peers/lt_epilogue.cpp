// Which of cuBLASLt's epilogues a problem's is, and what each pointer of it is.
#include "bench/peers/lt_epilogue.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/shim/lt_epilogues.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "bench/peers/blas_problem.hpp"

namespace jute::bench {
namespace {

/// Those with scales, ahead of the library's rows.
constexpr std::array kScaledRows{
    LtEpilogueRow{1, "y := {sum}; d = y*d_scale; d_amax = amax(y)"},
    LtEpilogueRow{1, "y := acc*first_scale*second_scale; d = y*d_scale; d_amax = amax(y)"},
    LtEpilogueRow{1, "acc*first_scale*second_scale"},
    LtEpilogueRow{4, "acc*first_scale*second_scale + bias[{row}]"},
};
constexpr std::array<std::string_view, 4> kSums{"acc", "alpha*acc", "acc + beta*c",
                                                "alpha*acc + beta*c"};
/// The names of the rows, and the attribute that points to what has it.
struct Pointer {
  std::string_view name;
  LtAttribute attribute;
};
constexpr std::array kPointers{
    Pointer{"bias", kOperationBias},
    Pointer{"dbias", kOperationBias},
    Pointer{"aux", kOperationAux},
    Pointer{"first_scale", kOperationScaleA},
    Pointer{"second_scale", kOperationScaleB},
    Pointer{"d_scale", kOperationScaleD},
    Pointer{"d_amax", kOperationAmaxD},
};

LtAttribute attribute_of(std::string_view name) {
  return std::ranges::find(kPointers, name, &Pointer::name)->attribute;
}

std::string with(std::string text, std::string_view hole, std::string_view value) {
  for (size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at)) {
    text.replace(at, hole.size(), value);
    at += value.size();
  }
  return text;
}

/// The row's expression in the terms of a D in this order.
EpilogueExpression expression_of(const LtEpilogueRow& row, std::string_view sum, Order of_d) {
  const bool by_columns = of_d == Order::col;
  std::string text = with(std::string(row.text), "{sum}", sum);
  text = with(std::move(text), "{row}", by_columns ? "m" : "n");
  text = with(std::move(text), "{rows}", by_columns ? "row_sum[m]" : "col_sum[n]");
  text = with(std::move(text), "{first_sum}", by_columns ? "a_sum[m]" : "b_sum[n]");
  text = with(std::move(text), "{second_sum}", by_columns ? "b_sum[n]" : "a_sum[m]");
  return parse_epilogue(text);
}

/// The same with every name but d's gone, and no word on which inputs there are for each batch.
EpilogueExpression nameless(EpilogueExpression expression) {
  for (EpilogueLocal& local : expression.locals) local.name.clear();
  for (EpilogueOutput& output : expression.outputs)
    if (!is_d(output)) output.name.clear();
  for (EpilogueInput& input : expression.inputs) {
    input.name.clear();
    input.batched = false;
  }
  return expression;
}

/// The type of a bias, or of a gradient of one.
void describe_bias(LtEpilogue& found, const EpilogueOperand& operand, bool batched) {
  found.bias_type = blas_type(operand.type);
  if (batched) found.bias_batch_stride = operand.batch_stride_elems;
}

/// An operand of cuBLASLt beside its address: one a batch, a mask of bits.
struct Nature {
  bool batched = false, is_bits = false;
};

/// False where it lies otherwise than D. cuBLASLt counts a mask's strides in bits, and takes rows
/// that begin at multiples of 128 of them.
bool describe_aux(LtEpilogue& found, const EpilogueOperand& operand, const Matrix& d,
                  bool is_bits) {
  constexpr Index kBitsOfByte = 8, kMaskBits = 128;
  if (operand.order != d.order) return false;
  if (is_bits) {
    found.aux_ld = operand.ld_elems * kBitsOfByte;
    found.aux_batch_stride = operand.batch_stride_elems * kBitsOfByte;
    return *found.aux_ld % kMaskBits == 0;
  }
  found.aux_type = blas_type(operand.type);
  found.aux_ld = operand.ld_elems;
  found.aux_batch_stride = operand.batch_stride_elems;
  return true;
}

bool describe(LtEpilogue& found, const LtPointer& pointer, const EpilogueOperand& operand,
              const Problem& problem, const Nature& nature) {
  if (pointer.attribute == kOperationBias) describe_bias(found, operand, nature.batched);
  if (pointer.attribute == kOperationAux)
    return describe_aux(found, operand, problem.d, nature.is_bits);
  // Scales and maxima are 32-bit floats in memory.
  return pointer.attribute == kOperationBias || (operand.type == DType::f32 && !operand.by_value);
}

/// Our names for those of the row.
std::optional<LtEpilogue> matched(const LtEpilogueRow& row, const EpilogueExpression& theirs,
                                  const Problem& problem) {
  const Epilogue& own = *problem.epilogue;
  if (nameless(theirs) != nameless(own.expression)) return std::nullopt;
  LtEpilogue found{.value = row.value};
  for (size_t i = 0; i < theirs.inputs.size(); ++i) {
    const LtPointer pointer{attribute_of(theirs.inputs[i].name), false, i};
    const Nature nature{own.expression.inputs[i].batched, is_of_bits(theirs, theirs.inputs[i])};
    if (!describe(found, pointer, own.inputs[i], problem, nature)) return std::nullopt;
    found.pointers.push_back(pointer);
  }
  for (size_t i = 0; i < theirs.outputs.size(); ++i) {
    if (is_d(theirs.outputs[i])) continue;
    const LtPointer pointer{attribute_of(theirs.outputs[i].name), true, i};
    const Nature nature{problem.batch > 1, is_of_bits(theirs, theirs.outputs[i])};
    if (!describe(found, pointer, own.outputs[i], problem, nature)) return std::nullopt;
    found.pointers.push_back(pointer);
  }
  return found;
}

}  // namespace

std::optional<LtEpilogue> lt_epilogue(const Problem& problem) {
  for (const std::span<const LtEpilogueRow> rows :
       {std::span<const LtEpilogueRow>(kScaledRows),
        std::span<const LtEpilogueRow>(kLtEpilogues).subspan(1)})
    for (const LtEpilogueRow& row : rows)
      for (const std::string_view sum : kSums)
        if (auto found = matched(row, expression_of(row, sum, problem.d.order), problem))
          return found;
  return std::nullopt;
}

}  // namespace jute::bench

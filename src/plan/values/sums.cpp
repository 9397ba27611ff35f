// Copies and sums of operands as text; sums as inputs of a kernel.
#include "plan/values/sums.hpp"

#include <jute/epilogue/quantise.hpp>

#include <array>

#include "base/format.hpp"
#include "plan/ask/product_of.hpp"

namespace jute::plan {
namespace {

constexpr int kLineAlignment = 16;

/// A number as it is planned, and in any run.
auto both_in(const RunValues& planned) {
  return [&planned](const Count& count) {
    return base::format("{} (run-time {})", count.evaluate(planned), to_string(count));
  };
}

/// ` of f32 a block of 1x128`
std::string numbers_text(const MoveNumbers& numbers) {
  return base::format("{} of {} a block of {}", name(numbers.tensor), name(numbers.type),
                      to_string(ValueBlock{numbers.block_outer, numbers.block_inner}));
}

std::string text_of(const std::vector<BlockOutput>& outputs) {
  std::string text;
  for (const BlockOutput& output : outputs)
    text += base::format("{}{} {} by {}", text.empty() ? "" : ", ", name(output.tensor),
                         name(output.type), output.order == Order::row ? "rows" : "columns");
  return text;
}

}  // namespace

DType sum_type(const Problem& problem) {
  const DType accumulate = *problem.accumulate;
  return accumulate == DType::f64 || accumulate == DType::s32 ? accumulate : DType::f32;
}

Count line_count(const SumRow& row) {
  using enum RunValue::Quantity;
  return RunValue{row.tensor == TensorRole::a ? m : n};
}

Count sum_batch_stride(const SumRow& row) { return round_up(line_count(row), kLineAlignment); }

MostOfBlocks most_of_blocks(const Problem& problem) {
  using enum RunValue::Quantity;
  const bool by_rows = block_of(problem.epilogue->expression).m == 1;
  return {kMostOfBlocks, by_rows ? Count(RunValue{m}) : Count(1)};
}

std::string text_of(const MoveStep& sums) {
  std::string text =
      base::format("formed {} the GEMM, outputs in {}, {}", sums.follows ? "behind" : "ahead of",
                   name(sums.compute), sums.accuracy == EpilogueAccuracy::half ? "half" : "full");
  for (std::size_t i = 0; i < sums.scalars.size(); ++i) {
    const EpilogueOperandPlan& scalar = sums.scalars[i];
    text += base::format("; of {} {} {}{}", name(input_role(static_cast<int>(i))), scalar.name,
                         name(scalar.type), scalar.by_value ? " by value" : "");
  }
  return text;
}

std::string text_of(const std::vector<SumOutput>& outputs) {
  std::string text;
  for (const SumOutput& output : outputs)
    text += base::format("{}{} {} {}", text.empty() ? "" : ", ", name(output.tensor),
                         name(output.type), jute::to_string(output.value));
  return text.empty() ? "none" : text;
}

std::vector<KernelOperand> sum_inputs(const Problem& problem) {
  std::vector<KernelOperand> inputs;
  for (const SumRow& row : sums_named(problem)) {
    const bool is_a = row.tensor == TensorRole::a;
    const Index lines = is_a ? problem.m : problem.n,
                stride = ceil_div(lines, kLineAlignment) * kLineAlignment;
    KernelOperand input;
    input.name = row.name;
    input.extent = row.extent;
    input.matrix = {.base = InWorkspace{std::string(row.region)},
                    .type = sum_type(problem),
                    .major = is_a ? Major::mn : Major::k,
                    .ld = Extent{Count(1), 1, true},
                    .batch_stride = Extent{sum_batch_stride(row), stride, false},
                    .access_bytes = kLineAlignment};
    inputs.push_back(std::move(input));
  }
  return inputs;
}

bool sums_follow(const Problem& problem) {
  const Problem product = product_of(problem);
  const auto is_read = [&](const SumRow& row) { return names_op(product.epilogue, row.op); };
  const std::vector<SumRow> rows = sums_named(problem);
  return !rows.empty() && std::ranges::none_of(rows, is_read);
}

Fields fields_of(const MoveConversion& conversion, const RunValues& planned) {
  const auto both = both_in(planned);
  const auto numbers = [&](const std::optional<MoveNumbers>& given) {
    using Value = decltype(Field::value);
    if (!given) return Value(std::string("none"));
    return Value(Fields{{"operand", std::string(name(given->tensor))},
                        {"type", std::string(name(given->type))},
                        {"block_inner", given->block_inner},
                        {"block_outer", given->block_outer},
                        {"stride_inner", both(given->stride_inner)},
                        {"stride_outer", both(given->stride_outer)}});
  };
  return {{"stride_inner", both(conversion.stride_inner)},
          {"stride_outer", both(conversion.stride_outer)},
          {"scale", numbers(conversion.scale)},
          {"zero", numbers(conversion.zero)},
          {"offset", base::format("{}", conversion.offset)}};
}

Fields fields_of(const Move& move, const RunValues& planned) {
  const auto both = both_in(planned);
  Fields list{{"operand", std::string(name(move.tensor))},
              {"type", std::string(name(move.type))},
              {"terms", base::format("{} of {}", move.terms, name(move.copy_type))},
              {"region", move.region},
              {"transposed", move.transposed},
              {"inner", both(move.inner)},
              {"outer", both(move.outer)},
              {"matrices", both(move.matrices)},
              {"ld", both(move.ld)},
              {"batch_stride", both(move.batch_stride)},
              {"access_bytes", Index{move.access_bytes}},
              {"segments", both(move.segments)},
              {"blocks", both(move.blocks)}};
  if (move.view) list.push_back({"view", to_string(*move.view)});
  if (move.conversion) list.push_back({"conversion", fields_of(*move.conversion, planned)});
  if (move.own_alignment > 0) list.push_back({"own_alignment", Index{move.own_alignment}});
  if (move.scaling)
    list.push_back({"scaling", Fields{{"expression", jute::to_string(move.scaling->expression)},
                                      {"outputs", text_of(move.scaling->outputs)},
                                      {"region", move.scaling->region},
                                      {"lines", both(move.scaling->lines)}}});
  return list;
}

Fields fields_of(const OperandSum& sum, const RunValues& planned) {
  const auto both = both_in(planned);
  return {{"operand", std::string(name(sum.tensor))},
          {"type", std::string(name(sum.type))},
          {"sum", std::string(name(sum.sum))},
          {"region", sum.region.empty() ? std::string("none") : sum.region},
          {"outputs", text_of(sum.outputs)},
          {"major", std::string(name(sum.major))},
          {"lines", both(sum.lines)},
          {"length", both(sum.length)},
          {"matrices", both(sum.matrices)},
          {"batch_stride", both(sum.batch_stride)},
          {"vector_elems", Index{sum.vector_elems}},
          {"blocks", both(sum.blocks)}};
}

}  // namespace jute::plan

namespace jute {

std::string to_string(const StoredOperand& stored) {
  const auto& [stride_inner, stride_outer, scale, zero, offset] = stored.conversion;
  std::string text(name(stored.type));
  if (zero) text += ", less " + plan::numbers_text(*zero);
  if (offset != 0) text += base::format(", less {}", offset);
  return scale ? text + ", times " + plan::numbers_text(*scale) : text;
}

std::string to_string(const ProductScales& scales) {
  constexpr std::array kWords{"of all lines", "by lines", "by spans"};
  return base::format("{}, {} {}, lines {} by {}, at {}", plan::numbers_text(scales.numbers),
                      scales.count, kWords.at(static_cast<size_t>(scales.by)),
                      to_string(scales.line), to_string(scales.slot), to_string(scales.place));
}

}  // namespace jute

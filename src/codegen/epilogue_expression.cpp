// Writes the expression, its arguments in their order, and where those of a gate lie.
#include "codegen/epilogue_expression.hpp"

#include <jute/emit/index_function.hpp>
#include <jute/epilogue/cuda_text.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/run_values.hpp>

#include "base/format.hpp"
#include "codegen/block_lines.hpp"
#include "codegen/epilogue_operands.hpp"
#include "codegen/gathers.hpp"

namespace jute::codegen {

using namespace emit;
namespace {

/// An argument of `epilogue` beside an accumulator: its type and the expression's name.
struct Argument {
  EpilogueOp kind;
  std::string_view type, name;
};
constexpr Argument kArguments[] = {{EpilogueOp::gate, "Accum", "gate"},
                                   {EpilogueOp::alpha, "Compute", "alpha"},
                                   {EpilogueOp::beta, "Compute", "beta"},
                                   {EpilogueOp::c, "const ElemC&", "c"}};

/// An element's word for a seed, by its place among the inputs.
std::string random_word_of(size_t place) { return base::format("random{}", place); }

/// The expression as CUDA, over what the functions take.
EpilogueCudaText text_of(const GemmStep& step, const EpilogueExpression& expression,
                         const char* acc = nullptr) {
  const EpiloguePlan& out = step.epilogue;
  EpilogueSpelling spelling;
  spelling.acc = computed(out.compute, step.accumulate,
                          step.accumulate == DType::f16 ? "to_compute(acc)" : "acc");
  if (acc != nullptr) spelling.acc = acc;
  spelling.gate = computed(out.compute, step.accumulate,
                           step.accumulate == DType::f16 ? "to_compute(gate)" : "gate");
  spelling.c = computed(out.compute, out.c_type, "to_compute(c)");
  spelling.inputs = operand_values(step);
  for (size_t i = 0; i < spelling.inputs.size(); ++i) {
    if (out.inputs[i].name == "a_sum") spelling.a_sum = spelling.inputs[i];
    if (out.inputs[i].name == "b_sum") spelling.b_sum = spelling.inputs[i];
    if (is_seed(out.expression, i)) spelling.inputs[i] = random_word_of(i);
  }
  EpilogueCudaText text = cuda_text(arithmetic_of(expression), out.compute, spelling, out.accuracy);
  std::string words;
  const bool draws = names(in_order(expression), EpilogueOp::stochastic);
  for (size_t i = 0; i < spelling.inputs.size(); ++i)
    if (draws && is_seed(out.expression, i))
      words += base::format("const unsigned {} = random_word({}, place, batch_of_place);\n",
                            random_word_of(i), name(input_role(static_cast<int>(i))));
  if (!words.empty())
    text.functions.insert(text.functions.begin(), "epilogue/functions.cu (random_word)");
  text.lines.insert(0, words);
  return text;
}

/// alpha, beta and the inputs that are one number, as parameters or as arguments.
std::string scalars_of(const GemmStep& step, bool are_parameters) {
  std::string text;
  const auto add = [&](std::string_view type, const std::string& name) {
    text += are_parameters ? base::format(", {} {}", type, name) : ", " + name;
  };
  for (const auto& [op, name] : {std::pair{EpilogueOp::alpha, "alpha"}, {EpilogueOp::beta, "beta"}})
    if (names(step.epilogue.expression, op)) add("Compute", name);
  return text + scalar_inputs(step, are_parameters);
}

/// Has the output one value a block? A usual epilogue has operands for none.
bool is_of_blocks(const GemmStep& step, size_t output) {
  return output < step.epilogue.outputs.size() &&
         step.epilogue.outputs[output].extent == EpilogueExtent::blocks;
}

/// The functions of blocks: what their largest magnitudes are taken of, and each output of theirs.
std::string block_value_functions(const TemplateSet& templates, const GemmStep& step,
                                  const std::string& parameters) {
  const EpilogueExpression& whole = step.epilogue.expression;
  const auto function = [&](const std::string& name, const EpilogueExpression& part,
                            const char* acc, const std::string& takes) {
    const EpilogueCudaText text = text_of(step, part, acc);
    return Piece(templates, "epilogue/unrounded.cu (named)")
        .fill("name", name)
        .fill("text", to_string(in_order(part)))
        .fill("parameters", takes)
        .fill("sums", text.lines)
        .fill("value", text.values.front())
        .text();
  };
  std::string functions = function("block_value", of_blocks(whole), nullptr, parameters);
  for (size_t i = 0; i < whole.outputs.size(); ++i) {
    if (!is_of_blocks(step, i)) continue;
    EpilogueExpression part = whole;
    part.outputs = {{"d", EpilogueGather::elements, whole.outputs[i].node}};
    // The number that was found is there already, in the place of the sum of products.
    for (EpilogueNode& node : part.nodes)
      if (node.op == EpilogueOp::block_amax) node = {.op = EpilogueOp::acc};
    functions += function(base::format("block_output{}", i), part, "block_most",
                          "Compute block_most" + scalars_of(step, true));
  }
  return functions;
}

}  // namespace

std::string block_output_call(const GemmStep& step, std::size_t place) {
  return base::format("block_output{}(block_most[slot]{})", place, scalars_of(step, false));
}

std::string expression_function(const TemplateSet& templates, const GemmStep& step,
                                const char* path) {
  const EpilogueExpression& expression = step.epilogue.expression;
  const EpilogueCudaText text = text_of(step, expression);
  std::string functions = gather_functions(templates, step), parameters = "Accum acc",
              lines = text.lines, value;
  for (const std::string& function : text.functions) functions += Piece(templates, function).text();
  for (const Argument& argument : kArguments)
    if (names(expression, argument.kind))
      parameters += base::format(", {} {}", argument.type, argument.name);
  for (size_t i = 0; i < expression.outputs.size(); ++i) {
    if (is_of_blocks(step, i)) continue;
    if (is_d(expression.outputs[i]))
      value = text.values[i];
    else if (const std::string kept = gather_statement(step, i, text.values[i]); !kept.empty())
      lines += kept;
    else
      lines += output_statement(i, text.values[i]);
  }
  parameters += operand_parameters(step);
  if (step.epilogue.blocks) functions += block_value_functions(templates, step, parameters);
  return functions +
         Piece(templates, path)
             .fill("text", to_string(expression))
             .fill("parameters", parameters + block_parameter(step) + gather_parameters(step))
             .fill("sums", lines)
             .fill("value", value)
             .text();
}

std::string call_of_expression(const GemmStep& step, std::string_view function,
                               std::string_view acc, std::string_view beta, std::string_view c,
                               std::string_view rest) {
  std::string arguments(acc);
  if (step.gate) arguments.insert(arguments.rfind(']'), " + kGatedAccumulator");
  for (const Argument& argument : kArguments)
    if (names(step.epilogue.expression, argument.kind))
      arguments.append(", ").append(argument.name == "gate"   ? acc
                                    : argument.name == "c"    ? c
                                    : argument.name == "beta" ? beta
                                                              : argument.name);
  return base::format("{}({}{})", function, arguments, rest);
}

}  // namespace jute::codegen

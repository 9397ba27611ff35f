// Puts an epilogue and a kernel together.
#include "support/epilogue_cases.hpp"

#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <sstream>

namespace jute::test {
namespace {

void set_operand(Epilogue& epilogue, const std::string& word) {
  const size_t equals = word.find('='), colon = word.find(':');
  const std::string name = word.substr(0, equals);
  const std::string type = word.substr(equals + 1, colon - equals - 1);
  const auto& [expression, inputs, outputs] = epilogue;
  EpilogueOperand* operand = nullptr;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (expression.inputs[i].name == name) operand = &epilogue.inputs[i];
  for (size_t i = 0; i < outputs.size(); ++i)
    if (expression.outputs[i].name == name) operand = &epilogue.outputs[i];
  if (type == "value") {
    operand->by_value = true;
    return;
  }
  operand->type = parse_dtype(type);
  if (colon != std::string::npos)
    operand->order = word.substr(colon + 1) == "col" ? Order::col : Order::row;
}

}  // namespace

GemmCase case_of(const EpilogueKernel& kernel, const EpilogueRow& row, unsigned seed) {
  GemmCase result;
  Problem& problem = result.problem;
  problem.m = kernel.m;
  problem.n = kernel.n;
  problem.k = kernel.k;
  problem.batch = kernel.batch;
  problem.a = {.type = kernel.type, .order = kernel.a};
  problem.b = {.type = kernel.type, .order = kernel.b};
  problem.d = {.type = kernel.out, .order = kernel.c};
  problem.c = problem.d;
  if (kernel.out == DType::e4m3) problem.c.type = DType::bf16;
  if (kernel.out == DType::s8) problem.c.type = DType::s32;
  Epilogue epilogue{.expression = parse_epilogue(row.text)};
  problem.epilogue = epilogue;
  for (const EpilogueInput& input : epilogue.expression.inputs)
    epilogue.inputs.push_back(usual_operand(problem, input));
  for (const EpilogueOutput& output : epilogue.expression.outputs)
    epilogue.outputs.push_back(usual_operand(problem, output));
  std::istringstream words{std::string(row.operands)};
  for (std::string word; words >> word;) set_operand(epilogue, word);
  problem.epilogue = std::move(epilogue);
  const EpilogueExpression& expression = problem.epilogue->expression;
  const bool is_whole = kernel.type == DType::s8;
  result.alpha = !names(expression, EpilogueOp::alpha) ? 1 : is_whole ? 2 : 1.5;
  // Of an expression that reads C otherwise too, what beta*c is where beta is 0.
  result.beta = c_read(expression) != CRead::unless_beta_is_zero ? 0 : is_whole ? -1 : 0.5;
  result.fill = Fill::special;
  result.seed = seed;
  result.config = parse_config(kernel.config);
  return result;
}

}  // namespace jute::test

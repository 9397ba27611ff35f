// Prints epilogue expressions.
#include <jute/epilogue/operations.hpp>
#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

#include "epilogue/words.hpp"

namespace jute {
namespace epilogue {

std::string number_text(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return "inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

std::string input_text(const EpilogueInput& input) {
  const char* const index = std::array{"", "m", "n", "m,n"}[static_cast<std::size_t>(input.extent)];
  const bool is_scalar = input.extent == EpilogueExtent::scalar;
  if (input.batched) return input.name + "[batch" + (is_scalar ? "" : ",") + index + "]";
  return is_scalar ? input.name : input.name + "[" + index + "]";
}

std::string_view gather_text(EpilogueGather gather) {
  return std::array<std::string_view, 7>{"",           "amax",        "sum",        "row_sum[m]",
                                         "col_sum[n]", "row_amax[m]", "col_amax[n]"}
      [static_cast<std::size_t>(gather)];
}

}  // namespace epilogue

namespace {

/// The extent of a block: a number, or the letter of all.
std::string extent_text(int extent, const char* whole) {
  return extent == kWholeExtent ? whole : std::to_string(extent);
}

using epilogue::number_text;

struct Printer {
  const EpilogueExpression& expression;

  [[nodiscard]] const EpilogueNode& at(int place) const {
    return expression.nodes[static_cast<std::size_t>(place)];
  }

  /// The name of a node that has one; a leaf goes by its own.
  [[nodiscard]] const std::string* name_of(int place) const {
    if (operation(at(place).op).arity == 0) return nullptr;
    const auto local = std::ranges::find(expression.locals, place, &EpilogueLocal::node);
    return local == expression.locals.end() ? nullptr : &local->name;
  }

  [[nodiscard]] std::string leaf(const EpilogueNode& node) const {
    switch (node.op) {
      case EpilogueOp::number:
        return number_text(node.number);
      case EpilogueOp::input:
        return epilogue::input_text(expression.inputs[static_cast<std::size_t>(node.input)]);
      case EpilogueOp::a_sum:
        return "a_sum[m]";
      case EpilogueOp::b_sum:
        return "b_sum[n]";
      default:
        return std::string(operation(node.op).spelling);
    }
  }

  /// An operand of what binds at `level`; brackets where it binds less.
  [[nodiscard]] std::string operand(int place, int level) const {
    if (const std::string* name = name_of(place)) return *name;
    const std::string text = definition(place);
    return operation(at(place).op).level < level ? "(" + text + ")" : text;
  }

  [[nodiscard]] std::string infix(const EpilogueNode& node, const EpilogueOperation& row) const {
    const bool is_comparison =
        row.result == EpilogueKind::truth && row.operands[0] == EpilogueKind::number;
    const std::string left = operand(node.operands[0], row.level + (is_comparison ? 1 : 0));
    const std::string right = operand(node.operands[1], row.level + 1);
    const bool close = row.op == EpilogueOp::multiply || row.op == EpilogueOp::divide;
    const char* const space = close ? "" : " ";
    return left + space + std::string(row.spelling) + space + right;
  }

  [[nodiscard]] std::string call(const EpilogueNode& node, const EpilogueOperation& row) const {
    std::string text(row.spelling.empty() ? name(node.type) : row.spelling);
    if (node.op == EpilogueOp::block_amax)
      text += "[" + extent_text(node.block.m, "m") + "," + extent_text(node.block.n, "n") + "]";
    for (int i = 0; i < row.arity; ++i)
      text += (i == 0 ? "(" : ", ") + operand(node.operands[static_cast<std::size_t>(i)], 0);
    return text + ")";
  }

  /// The node in full, whatever its name.
  [[nodiscard]] std::string definition(int place) const {
    const EpilogueNode& node = at(place);
    const EpilogueOperation& row = operation(node.op);
    switch (row.form) {
      case EpilogueForm::leaf:
        return leaf(node);
      case EpilogueForm::prefix: {
        const char* const space = node.op == EpilogueOp::logical_not ? " " : "";
        return std::string(row.spelling) + space + operand(node.operands[0], row.level);
      }
      case EpilogueForm::infix:
        return infix(node, row);
      case EpilogueForm::call:
        break;
    }
    return call(node, row);
  }

  /// The text right of `:=`: of several names for a node, the later ones name the first.
  [[nodiscard]] std::string local(std::size_t place) const {
    const EpilogueLocal& local = expression.locals[place];
    const std::string* const first = name_of(local.node);
    return local.name +
           " := " + (first == nullptr || *first == local.name ? definition(local.node) : *first);
  }
};

}  // namespace

std::string value_text(const EpilogueExpression& expression, int node) {
  return Printer{expression}.definition(node);
}

std::string to_string(const EpilogueExpression& expression) {
  const Printer printer{expression};
  std::string text;
  const auto add = [&](const std::string& statement) {
    text += (text.empty() ? "" : "; ") + statement;
  };
  if (expression.math == EpilogueMath::fast) add("math = fast");
  for (std::size_t i = 0; i < expression.locals.size(); ++i) add(printer.local(i));
  const bool is_bare = expression.outputs.size() == 1 && is_d(expression.outputs[0]) &&
                       expression.outputs[0].gather == EpilogueGather::elements;
  for (const EpilogueOutput& output : expression.outputs) {
    const std::string value = printer.operand(output.node, 0);
    const std::string gather(epilogue::gather_text(output.gather));
    add((is_bare ? "" : output.name + " = ") +
        (gather.empty() ? value : gather + "(" + value + ")"));
  }
  return text;
}

std::ostream& operator<<(std::ostream& out, const EpilogueExpression& expression) {
  return out << to_string(expression);
}

}  // namespace jute

// Evaluates expressions and lines of batches.
#include <jute/expr/eval.hpp>

#include "expr/reader.hpp"

#include <algorithm>

namespace jute {

Evaluation evaluate(std::string_view expression, const Catalogue& catalogue) {
  return expr::evaluated(expression, catalogue, {});
}

Value eval(std::string_view expression, const Catalogue& catalogue) {
  return evaluate(expression, catalogue).value;
}

LineResult eval_line(std::string_view expression, const Catalogue& catalogue) {
  try {
    return {true, to_string(eval(expression, catalogue))};
  } catch (const Exception& exception) {
    std::string text = std::string("error: ") + exception.what();
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return {false, std::move(text)};
  }
}

}  // namespace jute

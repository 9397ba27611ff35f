#pragma once
// The expression language: `composition((4,8):(8,1),(2,4):(4,1))`.
#include <jute/atom/catalogue.hpp>
#include <jute/base/export.hpp>
#include <jute/expr/value.hpp>
#include <jute/layout/explain.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Evaluates one expression: a value in the text notation, or a function of values.
///   `catalogue` is where atoms are looked up by name
///   example  to_string(eval("logical_divide(16:2,4:1)")) == "(4,4):(2,8)"
///   throws   syntax, too_deep (nesting beyond 64), unknown_name (with the nearest names),
///            wrong_arity, wrong_type and whatever the function refuses; `position` is the column
///            and `detail` shows the line with a caret below it
[[nodiscard]] Value eval(std::string_view expression, const Catalogue& catalogue = Catalogue());

/// A value, and what it does not say itself.
struct Evaluation {
  Value value;
  OffsetMeaning offsets = OffsetMeaning::elements;  ///< of a layout, as its function has them
  std::vector<std::string> remarks;                 ///< sentences: what a call keeps silent
};
/// The same as `eval`.
[[nodiscard]] Evaluation evaluate(std::string_view expression,
                                  const Catalogue& catalogue = Catalogue());

/// One line of a batch: the value's text, or `error: CODE: message` on one line.
struct LineResult {
  bool ok = false;
  std::string text;
  bool operator==(const LineResult&) const = default;
};
/// Never throws what eval refuses.
[[nodiscard]] LineResult eval_line(std::string_view expression,
                                   const Catalogue& catalogue = Catalogue());

/// Does a function work on tuples and layouts alone, or on atoms and what is made of them?
enum class FunctionTopic : std::uint8_t { layouts, atoms };

/// A function of the language, for listings and completion.
struct FunctionSummary {
  FunctionTopic topic = FunctionTopic::layouts;
  std::string_view name;
  std::string_view usage;    ///< "composition(A,B) | composition(Sw[,offset],L)"
  std::string_view summary;  ///< one sentence
};
[[nodiscard]] std::vector<FunctionSummary> functions();

}  // namespace jute

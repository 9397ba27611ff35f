#pragma once
// Statements one after the other, with names for values.
#include <jute/base/export.hpp>
#include <jute/expr/eval.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The outcome of one statement.
struct Statement {
  std::string name;                    ///< of the variable that it sets; empty: none
  std::optional<Value> value;          ///< nothing for a blank line or a comment
  std::vector<std::string> remarks{};  ///< sentences: what a call of it keeps silent
};

/// `a = (4,8):(8,1)` names a value, `size(a)` uses it; `#` and `//` begin comments. A name hides a
/// word of the language, not a function.
class EvalSession {
 public:
  explicit EvalSession(Catalogue catalogue = Catalogue()) : catalogue_(std::move(catalogue)) {}

  /// throws  what eval throws, with the column in the statement; syntax: a name that is none
  Statement run(std::string_view statement);
  /// The names of all values, in alphabetical order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  Catalogue catalogue_;
  std::map<std::string, Value, std::less<>> variables_;
};

}  // namespace jute

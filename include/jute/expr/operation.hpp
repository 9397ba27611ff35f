#pragma once
// Functions of the expression language called with values: for programs and bindings of jute to
// other languages, where arguments are at hand and no text has to be written and read.
#include <jute/base/export.hpp>
#include <jute/expr/eval.hpp>

#include <string_view>
#include <vector>

namespace JUTE_API jute {

namespace JUTE_API expr {
struct Function;  ///< a row of the language's tables
}

/// A function that is found once and called often. Cheap to copy.
///   example  Operation("coalesce")({Layout("(2,4):(1,2)")}) == Layout("8:1")
class Operation {
 public:
  /// throws  unknown_name: offers the nearest
  explicit Operation(std::string_view name);
  [[nodiscard]] FunctionSummary summary() const;
  /// Atoms are looked up by name in `catalogue`.
  ///   throws  wrong_arity, wrong_type and whatever the function refuses
  [[nodiscard]] Value operator()(std::vector<Value> arguments,
                                 const Catalogue& catalogue = Catalogue()) const;

 private:
  const expr::Function* row_;
};

}  // namespace jute

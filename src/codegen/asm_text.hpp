#pragma once
// Operand lists of inline assembly.
#include <string>

namespace jute::codegen {

/// `count` registers of an array, the first of which is operand `first` of the assembly.
struct AsmList {
  std::string array;
  char letter = 'r';
  int count = 0;
  int first = 0;
};
/// `%0, %1, %2`
[[nodiscard]] std::string places(const AsmList& list);
/// `"+f"(c[0]), "+f"(c[1])`; `direction` is "=", "+" or nothing
[[nodiscard]] std::string operands(const AsmList& list, const std::string& direction);

}  // namespace jute::codegen

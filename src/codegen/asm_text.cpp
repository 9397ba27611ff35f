// Writes operand lists of inline assembly.
#include "codegen/asm_text.hpp"

#include "base/format.hpp"

namespace jute::codegen {

std::string places(const AsmList& list) {
  std::string text;
  for (int i = 0; i < list.count; ++i)
    text += base::format("{}%{}", i == 0 ? "" : ", ", list.first + i);
  return text;
}

std::string operands(const AsmList& list, const std::string& direction) {
  std::string text;
  for (int i = 0; i < list.count; ++i)
    text += base::format("{}\"{}{}\"({}[{}])", i == 0 ? "" : ", ", direction, list.letter,
                         list.array, i);
  return text;
}

}  // namespace jute::codegen

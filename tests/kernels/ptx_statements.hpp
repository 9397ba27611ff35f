#pragma once
// PTX text as statements that can be exchanged, each with the line of CUDA that it comes from.
#include <string>
#include <vector>

namespace jute::test {

struct Statement {
  size_t begin = 0, end = 0;  ///< in the text; the semicolon lies at `end`
  int line = 0;               ///< of the kernel's file, also for what was inlined there; 0 unknown
  bool is_word = false;       ///< written by hand, not by the compiler
  std::string guard;          ///< `@%p1`, `@!done` or nothing
  std::string opcode;
  std::vector<std::string> operands;

  [[nodiscard]] bool is(const std::string& prefix) const { return opcode.starts_with(prefix); }
  [[nodiscard]] bool has(const std::string& modifier) const {
    return opcode.find(modifier) != std::string::npos;
  }
};

/// The statements of all kernel bodies; `file` is the name that line information gives the kernel's
/// text.
[[nodiscard]] std::vector<Statement> statements(const std::string& ptx, const std::string& file);

/// The statement without its semicolon.
[[nodiscard]] std::string to_string(const Statement& statement);

}  // namespace jute::test

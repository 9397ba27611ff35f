#pragma once
// The code on a page for users: lines that are typed, what the page says comes of them, and text of
// programs.
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace jute::test {

/// A line that a reader types, as it is printed.
struct TypedLine {
  std::string line;
  std::vector<std::string> output;  ///< of `$ …`: what stands below it
  int status = 0;                   ///< `(exit status 2)` below it
  bool needs_gpu = false;           ///< the page has said so just before
};

/// A fenced block.
struct CodeBlock {
  std::string language, text;
};

struct PageCode {
  std::vector<TypedLine> typed;     ///< `$ jute …`, and `jute …`
  std::vector<std::string> others;  ///< indented lines that are neither typed nor printed
  std::vector<CodeBlock> blocks;
};

/// Of a Markdown text. Lines that are indented by four blanks are code; so is what stands between
/// fences.
[[nodiscard]] PageCode code_of(const std::string& text);

/// Types a line into a shell in a folder, where `jute` is the built command, `examples` and
/// `bench` are the repository's.
[[nodiscard]] ProcessResult type_line(const std::string& line, const std::string& folder);

}  // namespace jute::test

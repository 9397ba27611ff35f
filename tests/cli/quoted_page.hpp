#pragma once
// A page of docs/ that quotes what jute prints.
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "files/files.hpp"

namespace jute::test {

/// Without the blanks round it: quotes are indented as the page likes.
inline std::string trimmed(const std::string& line) {
  const size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? ""
                                    : line.substr(first, line.find_last_not_of(' ') + 1 - first);
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) list.push_back(trimmed(line));
  return list;
}

/// What a command line prints.
inline std::string output_of(const std::string& command, const std::string& folder = {}) {
  const ProcessResult result = run_jute(command_words(command), {.folder = folder});
  INFO("jute " << command << "\n" << result.err);
  REQUIRE(result.status == 0);
  return result.out;
}

class QuotedPage {
 public:
  explicit QuotedPage(const std::string& name)
      : text_(command::read_text(JUTE_SOURCE_DIR "/docs/" + name)) {}

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Lines of `    $ jute …` without the `jute`; one that ends in \ goes on in the next.
  [[nodiscard]] std::vector<std::string> commands() const {
    const std::string prompt = "    $ jute ";
    std::vector<std::string> list;
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(prompt)) continue;
      std::string command = line.substr(prompt.size());
      while (command.ends_with('\\') && std::getline(lines, line))
        command = command.substr(0, command.size() - 1) + line;
      list.push_back(command);
    }
    return list;
  }

  /// The fenced blocks of a language.
  [[nodiscard]] std::vector<std::vector<std::string>> blocks(const std::string& language) const {
    std::vector<std::vector<std::string>> list;
    std::istringstream lines(text_);
    bool is_inside = false;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("```")) {
        is_inside = !is_inside && line == "```" + language;
        if (is_inside) list.emplace_back();
      } else if (is_inside) {
        list.back().push_back(trimmed(line));
      }
    }
    return list;
  }

 private:
  std::string text_;
};

}  // namespace jute::test

// Counting brackets and looking at how a line ends.
#include "eval/statement_lines.hpp"

#include <algorithm>
#include <utility>

namespace jute::command {
namespace {

std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find('#'), line.find("//")));
}

/// How many more brackets a line opens than it closes.
int opened(std::string_view line) {
  int count = 0;
  for (const char c : line) count += int{c == '(' || c == '<'} - int{c == ')' || c == '>'};
  return count;
}

/// Does it end with an `o` or a comma, behind which something must follow?
bool waits(std::string_view line) {
  const size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos) return false;
  line = line.substr(0, last + 1);
  return line.ends_with(" o") || line.ends_with(",");
}

}  // namespace

std::optional<std::string> StatementLines::with(std::string_view line) {
  const std::string_view bare = without_comment(line);
  open_ += opened(bare);
  if (open_ > 0 || waits(bare)) {
    statement_ += std::string(bare) + " ";
    return std::nullopt;
  }
  statement_ += line;
  return rest();
}

std::string StatementLines::rest() {
  open_ = 0;
  return std::exchange(statement_, {});
}

}  // namespace jute::command

// Reads with a bound, and says where a line goes beyond it.
#include "eval/bounded_lines.hpp"

#include <jute/base/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <limits>
#include <utility>

#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

/// A stream that fails to read is no stream at its end: it would give empty lines without end.
void check_readable() {
  if (!std::cin.bad()) return;
  const int reason = errno == 0 ? EIO : errno;
  refuse(ErrorCode::file_unreadable, "standard input", "",
         std::string("it must be readable: ") + std::strerror(reason));
}

}  // namespace

std::optional<std::string> BoundedLines::next() {
  errno = 0;
  std::cin.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  check_readable();
  auto bytes = static_cast<size_t>(std::cin.gcount());
  if (std::cin.eof() && bytes == 0) return std::nullopt;
  const bool goes_on = std::cin.fail();
  if (!goes_on && !std::cin.eof()) --bytes;  // the line's end counts
  std::string line(buffer_.data(), bytes);
  if (goes_on) {
    std::cin.clear();
    std::cin.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
    check_readable();
    std::cin.clear();
  } else if (line.ends_with('\r')) {
    line.pop_back();
  }
  return line;
}

void check_length(const std::string& line) {
  if (line.size() <= kMostLineBytes) return;
  refuse(ErrorCode::out_of_range, "line", "",
         "a line must have at most " + std::to_string(kMostLineBytes) + " bytes");
}

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

// Reads with a bound, and says where a line goes beyond it.
#include "eval/bounded_lines.hpp"

#include <jute/base/error.hpp>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <limits>

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

}  // namespace jute::command
